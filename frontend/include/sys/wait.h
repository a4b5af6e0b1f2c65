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

#endif
