#ifndef _STRINGS_H
#define _STRINGS_H 1

#include <stddef.h>

extern void bzero(void *to, size_t size);
extern void bcopy(const void *from, void *to, size_t size);
extern int bcmp(const void *a, const void *b, size_t size);
extern char *index(const char *s, int c);
extern char *rindex(const char *s, int c);
extern int strcasecmp(const char *a, const char *b);
extern int strncasecmp(const char *a, const char *b, size_t size);
extern int ffs(int n);
extern int ffsl(long int n);
extern int ffsll(long long int n);

#endif
