#ifndef _SYS_UIO_H
#define _SYS_UIO_H 1

#include <bits/obmc-types.h>

struct iovec {
    void *iov_base;
    size_t iov_len;
};

extern ssize_t readv(int file, const struct iovec *parts, int count);
extern ssize_t writev(int file, const struct iovec *parts, int count);

#endif
