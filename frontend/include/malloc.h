#ifndef _MALLOC_H
#define _MALLOC_H 1

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *memalign(size_t alignment, size_t size);
extern void *pvalloc(size_t size);
extern size_t malloc_usable_size(void *block);
extern void cfree(void *block);

#endif
