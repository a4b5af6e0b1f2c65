#ifndef _SYS_EVENTFD_H
#define _SYS_EVENTFD_H 1

#include <stdint.h>

#define EFD_SEMAPHORE 1
#define EFD_CLOEXEC 02000000
#define EFD_NONBLOCK 04000

typedef uint64_t eventfd_t;

extern int eventfd(unsigned int start, int flags);
extern int eventfd_read(int file, eventfd_t *to);
extern int eventfd_write(int file, eventfd_t more);

#endif
