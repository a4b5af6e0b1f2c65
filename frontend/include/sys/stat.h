#ifndef _SYS_STAT_H
#define _SYS_STAT_H 1

#include <bits/obmc-types.h>

struct stat {
    dev_t st_dev;
    ino_t st_ino;
    nlink_t st_nlink;
    mode_t st_mode;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    off_t st_size;
    blksize_t st_blksize;
    blkcnt_t st_blocks;
    struct timespec st_atim;
    struct timespec st_mtim;
    struct timespec st_ctim;
    long int __obmc_reserved[3];
};
#define st_atime st_atim.tv_sec
#define st_mtime st_mtim.tv_sec
#define st_ctime st_ctim.tv_sec

#define S_IFMT 0170000
#define S_IFDIR 040000
#define S_IFREG 0100000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IROTH 04
#define S_IWOTH 02

extern int stat(const char *path, struct stat *result);
extern int fstat(int file, struct stat *result);
extern int lstat(const char *path, struct stat *result);
extern int mkdir(const char *path, mode_t mode);
extern int chmod(const char *path, mode_t mode);
extern mode_t umask(mode_t mask);

#define UTIME_NOW 0x3fffffff
#define UTIME_OMIT 0x3ffffffe
#define S_IFCHR 020000
#define S_IFBLK 060000
#define S_IFIFO 010000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IREAD 0400
#define S_IWRITE 0200
#define S_IEXEC 0100
#define S_IXGRP 010
#define S_IRWXG 070
#define S_IXOTH 01
#define S_IRWXO 07
#define ACCESSPERMS 0777
#define ALLPERMS 07777
#define DEFFILEMODE 0666
#define S_BLKSIZE 512

extern int stat64(const char *restrict file, struct stat64 *restrict buf);
extern int fstat64(int fd, struct stat64 *buf);
extern int fstatat(int fd, const char *restrict file, struct stat *restrict buf, int flag);
extern int fstatat64(int fd, const char *restrict file, struct stat64 *restrict buf, int flag);
extern int lstat64(const char *restrict file, struct stat64 *restrict buf);
extern int lchmod(const char *file, mode_t mode);
extern int fchmod(int fd, mode_t mode);
extern int fchmodat(int fd, const char *file, mode_t mode, int flag);
extern mode_t getumask(void);
extern int mkdirat(int fd, const char *path, mode_t mode);
extern int mknod(const char *path, mode_t mode, dev_t dev);
extern int mknodat(int fd, const char *path, mode_t mode, dev_t dev);
extern int mkfifo(const char *path, mode_t mode);
extern int mkfifoat(int fd, const char *path, mode_t mode);
extern int utimensat(int fd, const char *path, const struct timespec times[2], int flags);
extern int futimens(int fd, const struct timespec times[2]);

#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISBLK(mode) (((mode) & S_IFMT) == S_IFBLK)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) (((mode) & S_IFMT) == S_IFLNK)
#define S_ISSOCK(mode) (((mode) & S_IFMT) == S_IFSOCK)

#endif
