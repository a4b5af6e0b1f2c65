#ifndef _UNISTD_H
#define _UNISTD_H 1

#include <bits/obmc-types.h>
#include <stdint.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#ifndef SEEK_SET
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#endif
#define _POSIX_VERSION 200809L
#define _POSIX_THREADS 200809L
#define _POSIX_BARRIERS 200809L
#define _POSIX_SPIN_LOCKS 200809L
#define _POSIX_READER_WRITER_LOCKS 200809L
#define _POSIX_SEMAPHORES 200809L
#define _POSIX_TIMEOUTS 200809L
#define _SC_PAGESIZE 30
#define _SC_PAGE_SIZE 30
#define _SC_NPROCESSORS_CONF 83
#define _SC_NPROCESSORS_ONLN 84

extern unsigned int sleep(unsigned int seconds);
extern int usleep(useconds_t microseconds);
extern unsigned int alarm(unsigned int seconds);
extern int pause(void);
extern pid_t fork(void);
extern pid_t vfork(void);
extern int execv(const char *path, char *const args[]);
extern int execve(const char *path, char *const args[], char *const environment[]);
extern int execl(const char *path, const char *arg, ...);
extern int execlp(const char *file, const char *arg, ...);
extern int execvp(const char *file, char *const args[]);
extern void _exit(int status) __attribute__((__noreturn__));
extern pid_t getpid(void);
extern pid_t getppid(void);
extern pid_t gettid(void);
extern uid_t getuid(void);
extern uid_t geteuid(void);
extern gid_t getgid(void);
extern ssize_t read(int file, void *buffer, size_t size);
extern ssize_t write(int file, const void *buffer, size_t size);
extern int close(int file);
extern off_t lseek(int file, off_t offset, int whence);
extern int pipe(int ends[2]);
extern int dup(int file);
extern int dup2(int file, int copy);
extern int access(const char *path, int mode);
extern int unlink(const char *path);
extern int rmdir(const char *path);
extern int chdir(const char *path);
extern char *getcwd(char *buffer, size_t size);
extern int isatty(int file);
extern int fsync(int file);
extern int ftruncate(int file, off_t size);
extern int gethostname(char *name, size_t size);
extern long int sysconf(int name);
extern int getpagesize(void);
extern long int syscall(long int number, ...);
extern void *sbrk(intptr_t increment);
extern int getopt(int count, char *const args[], const char *options);
extern char *optarg;
extern int optind, opterr, optopt;
extern char **environ;

#endif
