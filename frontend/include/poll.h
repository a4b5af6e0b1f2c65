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

#endif
