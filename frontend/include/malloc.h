#ifndef _MALLOC_H
#define _MALLOC_H 1

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

extern void *memalign(size_t alignment, size_t size);
extern void *pvalloc(size_t size);
extern size_t malloc_usable_size(void *block);
extern void cfree(void *block);

#define M_MXFAST 1
#define M_NLBLKS 2
#define M_GRAIN 3
#define M_KEEP 4
#define M_TRIM_THRESHOLD (-1)
#define M_TOP_PAD (-2)
#define M_MMAP_THRESHOLD (-3)
#define M_MMAP_MAX (-4)
#define M_CHECK_ACTION (-5)
#define M_PERTURB (-6)
#define M_ARENA_TEST (-7)
#define M_ARENA_MAX (-8)

extern struct mallinfo mallinfo(void);
extern struct mallinfo2 mallinfo2(void);
extern int mallopt(int param, int val);
extern int malloc_trim(size_t pad);
extern void malloc_stats(void);
extern int malloc_info(int options, FILE *fp);

#endif
