#ifndef _SYSCALL_H
#define _SYSCALL_H 1

#include <sys/syscall.h>

#endif
