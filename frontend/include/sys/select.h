#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H 1

#include <bits/obmc-types.h>

#define FD_SETSIZE 1024
typedef long int __fd_mask;
typedef struct {
    __fd_mask __fds_bits[FD_SETSIZE / (8 * sizeof(__fd_mask))];
} fd_set;
#define __OBMC_FD_BITS (8 * sizeof(__fd_mask))
#define FD_ZERO(set) ((void)(*(set) = (fd_set){ { 0 } }))
#define FD_SET(fd, set)                                                                            \
    ((void)((set)->__fds_bits[(fd) / __OBMC_FD_BITS] |= 1L << ((fd) % __OBMC_FD_BITS)))
#define FD_CLR(fd, set)                                                                            \
    ((void)((set)->__fds_bits[(fd) / __OBMC_FD_BITS] &= ~(1L << ((fd) % __OBMC_FD_BITS))))
#define FD_ISSET(fd, set)                                                                          \
    (((set)->__fds_bits[(fd) / __OBMC_FD_BITS] & 1L << ((fd) % __OBMC_FD_BITS)) != 0)

extern int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout);

#define NFDBITS 64

extern int pselect(int nfds, fd_set *restrict readfds, fd_set *restrict writefds, fd_set *restrict exceptfds, const struct timespec *restrict timeout, const sigset_t *restrict sigmask);

#endif
