#ifndef _SYS_UIO_H
#define _SYS_UIO_H 1

#include <bits/obmc-types.h>

struct iovec {
    void *iov_base;
    size_t iov_len;
};

extern ssize_t readv(int file, const struct iovec *parts, int count);
extern ssize_t writev(int file, const struct iovec *parts, int count);

#define UIO_MAXIOV 1024
#define RWF_HIPRI 0x00000001
#define RWF_DSYNC 0x00000002
#define RWF_SYNC 0x00000004
#define RWF_NOWAIT 0x00000008
#define RWF_APPEND 0x00000010
#define RWF_NOAPPEND 0x00000020

extern ssize_t preadv(int fd, const struct iovec *iovec, int count, off_t offset);
extern ssize_t pwritev(int fd, const struct iovec *iovec, int count, off_t offset);
extern ssize_t preadv64(int fd, const struct iovec *iovec, int count, off64_t offset);
extern ssize_t pwritev64(int fd, const struct iovec *iovec, int count, off64_t offset);
extern ssize_t preadv2(int fp, const struct iovec *iovec, int count, off_t offset, int _flags);
extern ssize_t pwritev2(int fd, const struct iovec *iodev, int count, off_t offset, int flags);
extern ssize_t preadv64v2(int fp, const struct iovec *iovec, int count, off64_t offset, int _flags);
extern ssize_t pwritev64v2(int fd, const struct iovec *iodev, int count, off64_t offset, int flags);
extern ssize_t process_vm_readv(pid_t pid, const struct iovec *lvec, unsigned long int liovcnt, const struct iovec *rvec, unsigned long int riovcnt, unsigned long int flags);
extern ssize_t process_vm_writev(pid_t pid, const struct iovec *lvec, unsigned long int liovcnt, const struct iovec *rvec, unsigned long int riovcnt, unsigned long int flags);

#endif
