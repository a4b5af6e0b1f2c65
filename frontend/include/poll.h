#ifndef _POLL_H
#define _POLL_H 1

#define POLLIN 1
#define POLLPRI 2
#define POLLOUT 4
#define POLLERR 8
#define POLLHUP 16

typedef unsigned long int nfds_t;
struct pollfd {
    int fd;
    short int events;
    short int revents;
};

extern int poll(struct pollfd *files, nfds_t count, int timeout);

#define POLLRDNORM 0x040
#define POLLRDBAND 0x080
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#define POLLMSG 0x400
#define POLLREMOVE 0x1000
#define POLLRDHUP 0x2000
#define POLLNVAL 0x020

#endif
