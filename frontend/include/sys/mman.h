#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H 1

#include <bits/obmc-types.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32
#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED ((void *)-1)

extern void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset);
extern int munmap(void *address, size_t size);
extern int mprotect(void *address, size_t size, int protection);
extern int mlock(const void *address, size_t size);
extern int mlockall(int flags);

#endif
