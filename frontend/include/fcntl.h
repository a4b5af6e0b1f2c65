#ifndef _FCNTL_H
#define _FCNTL_H 1

#include <features.h>
#include <bits/obmc-types.h>

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_NONBLOCK 04000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define FD_CLOEXEC 1

extern int open(const char *path, int flags, ...);
extern int creat(const char *path, mode_t mode);
extern int fcntl(int file, int command, ...);

#define F_GETLK64 5
#define F_SETLK64 6
#define F_SETLKW64 7
#define O_ACCMODE 0003
#define O_NOCTTY 0400
#define O_NDELAY 2048
#define O_SYNC 04010000
#define O_FSYNC 0x101000
#define O_ASYNC 020000
#define F_GETLK 5
#define F_SETLK 6
#define F_SETLKW 7
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#define F_OFD_SETLKW 38
#define O_LARGEFILE 0
#define O_DIRECTORY 0x10000
#define O_NOFOLLOW 0x20000
#define O_CLOEXEC 0x80000
#define O_DIRECT 0x4000
#define O_NOATIME 0x40000
#define O_PATH 0x200000
#define O_TMPFILE 0x410000
#define O_DSYNC 4096
#define O_RSYNC 0x101000
#define F_SETOWN 8
#define F_GETOWN 9
#define F_SETSIG 10
#define F_GETSIG 11
#define F_SETOWN_EX 15
#define F_GETOWN_EX 16
#define F_SETLEASE 1024
#define F_GETLEASE 1025
#define F_NOTIFY 1026
#define F_SETPIPE_SZ 1031
#define F_GETPIPE_SZ 1032
#define F_ADD_SEALS 1033
#define F_GET_SEALS 1034
#define F_GET_RW_HINT 1035
#define F_SET_RW_HINT 1036
#define F_GET_FILE_RW_HINT 1037
#define F_SET_FILE_RW_HINT 1038
#define F_DUPFD_CLOEXEC 1030
#define F_RDLCK 0
#define F_WRLCK 1
#define F_UNLCK 2
#define F_EXLCK 4
#define F_SHLCK 8
#define LOCK_SH 1
#define LOCK_EX 2
#define LOCK_NB 4
#define LOCK_UN 8
#define LOCK_MAND 32
#define LOCK_READ 64
#define LOCK_WRITE 128
#define LOCK_RW 192
#define DN_ACCESS 0x00000001
#define DN_MODIFY 0x00000002
#define DN_CREATE 0x00000004
#define DN_DELETE 0x00000008
#define DN_RENAME 0x00000010
#define DN_ATTRIB 0x00000020
#define DN_MULTISHOT 0x80000000
#define F_SEAL_SEAL 0x0001
#define F_SEAL_SHRINK 0x0002
#define F_SEAL_GROW 0x0004
#define F_SEAL_WRITE 0x0008
#define F_SEAL_FUTURE_WRITE 0x0010
#define RWH_WRITE_LIFE_NOT_SET 0
#define RWF_WRITE_LIFE_NOT_SET 0
#define RWH_WRITE_LIFE_NONE 1
#define RWH_WRITE_LIFE_SHORT 2
#define RWH_WRITE_LIFE_MEDIUM 3
#define RWH_WRITE_LIFE_LONG 4
#define RWH_WRITE_LIFE_EXTREME 5
#define FAPPEND 1024
#define FFSYNC 0x101000
#define FASYNC 0x2000
#define FNONBLOCK 2048
#define FNDELAY 2048
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
#define SYNC_FILE_RANGE_WAIT_BEFORE 1
#define SYNC_FILE_RANGE_WRITE 2
#define SYNC_FILE_RANGE_WAIT_AFTER 4
#define SYNC_FILE_RANGE_WRITE_AND_WAIT 7
#define SPLICE_F_MOVE 1
#define SPLICE_F_NONBLOCK 2
#define SPLICE_F_MORE 4
#define SPLICE_F_GIFT 8
#define MAX_HANDLE_SZ 128
#define AT_FDCWD (-100)
#define AT_SYMLINK_NOFOLLOW 0x100
#define AT_REMOVEDIR 0x200
#define AT_SYMLINK_FOLLOW 0x400
#define AT_NO_AUTOMOUNT 0x800
#define AT_EMPTY_PATH 0x1000
#define AT_STATX_SYNC_TYPE 0x6000
#define AT_STATX_SYNC_AS_STAT 0x0000
#define AT_STATX_FORCE_SYNC 0x2000
#define AT_STATX_DONT_SYNC 0x4000
#define AT_RECURSIVE 0x8000
#define AT_EACCESS 0x200
#define S_IFMT 0170000
#define S_IFDIR 040000
#define S_IFCHR 020000
#define S_IFBLK 060000
#define S_IFREG 0100000
#define S_IFIFO 010000
#define S_IFLNK 0120000
#define S_IFSOCK 0140000
#define S_ISUID 04000
#define S_ISGID 02000
#define S_ISVTX 01000
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 040
#define S_IWGRP 020
#define S_IXGRP 010
#define S_IRWXG 070
#define S_IROTH 04
#define S_IWOTH 02
#define S_IXOTH 01
#define S_IRWXO 07
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3

extern ssize_t readahead(int fd, off64_t offset, size_t count);
extern int sync_file_range(int fd, off64_t offset, off64_t count, unsigned int flags);
extern ssize_t vmsplice(int fdout, const struct iovec *iov, size_t count, unsigned int flags);
extern ssize_t splice(int fdin, off64_t *offin, int fdout, off64_t *offout, size_t len, unsigned int flags);
extern ssize_t tee(int fdin, int fdout, size_t len, unsigned int flags);
extern int fallocate(int fd, int mode, off_t offset, off_t len);
extern int fallocate64(int fd, int mode, off64_t offset, off64_t len);
extern int name_to_handle_at(int dfd, const char *name, struct file_handle *handle, int *mnt_id, int flags);
extern int open_by_handle_at(int mountdirfd, struct file_handle *handle, int flags);
extern int fcntl64(int fd, int cmd, ...);
extern int open64(const char *file, int oflag, ...);
extern int openat(int fd, const char *file, int oflag, ...);
extern int openat64(int fd, const char *file, int oflag, ...);
extern int creat64(const char *file, mode_t mode);
extern int lockf(int fd, int cmd, off_t len);
extern int lockf64(int fd, int cmd, off64_t len);
extern int posix_fadvise(int fd, off_t offset, off_t len, int advise);
extern int posix_fadvise64(int fd, off64_t offset, off64_t len, int advise);
extern int posix_fallocate(int fd, off_t offset, off_t len);
extern int posix_fallocate64(int fd, off64_t offset, off64_t len);

#endif
