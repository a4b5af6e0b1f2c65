#ifndef _SYS_WAIT_H
#define _SYS_WAIT_H 1

#include <bits/obmc-types.h>

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITSTATUS(status) (((status) & 0xff00) >> 8)
#define WTERMSIG(status) ((status) & 0x7f)
#define WIFEXITED(status) (WTERMSIG(status) == 0)
#define WIFSIGNALED(status) ((signed char)(((status) & 0x7f) + 1) >> 1 > 0)

extern pid_t wait(int *status);
extern pid_t waitpid(pid_t process, int *status, int options);

#define WSTOPPED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x01000000
#define WCOREFLAG 128
#define WAIT_ANY (-1)
#define WAIT_MYPGRP 0

extern pid_t wait3(int *stat_loc, int options, struct rusage * usage);
extern pid_t wait4(pid_t pid, int *stat_loc, int options, struct rusage *usage);

#include <bits/types/idtype_t.h>
#include <signal.h>

extern int waitid(idtype_t type, id_t id, siginfo_t *info, int options);

#define WSTOPSIG(status) WEXITSTATUS(status)
#define WIFSTOPPED(status) (((status) & 0xff) == 0x7f)
#define WIFCONTINUED(status) ((status) == 0xffff)
#define WCOREDUMP(status) ((status) & WCOREFLAG)

#endif
