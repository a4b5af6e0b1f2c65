#ifndef _SYS_EPOLL_H
#define _SYS_EPOLL_H 1

#include <stdint.h>
#include <signal.h>

#define EPOLL_CLOEXEC 02000000
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

#define EPOLLIN 0x001u
#define EPOLLPRI 0x002u
#define EPOLLOUT 0x004u
#define EPOLLERR 0x008u
#define EPOLLHUP 0x010u
#define EPOLLRDNORM 0x040u
#define EPOLLRDBAND 0x080u
#define EPOLLWRNORM 0x100u
#define EPOLLWRBAND 0x200u
#define EPOLLMSG 0x400u
#define EPOLLRDHUP 0x2000u
#define EPOLLEXCLUSIVE (1u << 28)
#define EPOLLWAKEUP (1u << 29)
#define EPOLLONESHOT (1u << 30)
#define EPOLLET (1u << 31)

typedef union epoll_data {
    void *ptr;
    int fd;
    uint32_t u32;
    uint64_t u64;
} epoll_data_t;

struct epoll_event {
    uint32_t events;
    epoll_data_t data;
} __attribute__((packed));

extern int epoll_create(int size);
extern int epoll_create1(int flags);
extern int epoll_ctl(int instance, int operation, int file, struct epoll_event *event);
extern int epoll_wait(int instance, struct epoll_event *events, int most, int timeout);
extern int epoll_pwait(int instance, struct epoll_event *events, int most, int timeout,
                       const sigset_t *mask);

#endif
