#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H 1

#include <bits/obmc-types.h>

typedef unsigned int socklen_t;
typedef unsigned short int sa_family_t;
struct sockaddr {
    sa_family_t sa_family;
    char sa_data[14];
};

#define AF_UNIX 1
#define AF_INET 2
#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOL_SOCKET 1
#define SO_REUSEADDR 2

extern int socket(int domain, int type, int protocol);
extern int bind(int socket, const struct sockaddr *address, socklen_t size);
extern int listen(int socket, int backlog);
extern int accept(int socket, struct sockaddr *address, socklen_t *size);
extern int connect(int socket, const struct sockaddr *address, socklen_t size);
extern int shutdown(int socket, int how);
extern int setsockopt(int socket, int level, int name, const void *value, socklen_t size);
extern ssize_t send(int socket, const void *buffer, size_t size, int flags);
extern ssize_t recv(int socket, void *buffer, size_t size, int flags);

#endif
