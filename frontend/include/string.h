#ifndef _STRING_H
#define _STRING_H 1

#include <features.h>
#include <stddef.h>
#include <strings.h>

extern void *memcpy(void *to, const void *from, size_t size);
extern void *mempcpy(void *to, const void *from, size_t size);
extern void *memmove(void *to, const void *from, size_t size);
extern void *memset(void *to, int byte, size_t size);
extern int memcmp(const void *a, const void *b, size_t size);
extern void *memchr(const void *memory, int byte, size_t size);
extern void *memrchr(const void *memory, int byte, size_t size);
extern void explicit_bzero(void *to, size_t size);

extern size_t strlen(const char *s);
extern size_t strnlen(const char *s, size_t limit);
extern char *strcpy(char *to, const char *from);
extern char *strncpy(char *to, const char *from, size_t size);
extern size_t strlcpy(char *to, const char *from, size_t size);
extern size_t strlcat(char *to, const char *from, size_t size);
extern char *stpcpy(char *to, const char *from);
extern char *strcat(char *to, const char *from);
extern char *strncat(char *to, const char *from, size_t size);
extern int strcmp(const char *a, const char *b);
extern int strncmp(const char *a, const char *b, size_t size);
extern int strcoll(const char *a, const char *b);
extern size_t strxfrm(char *to, const char *from, size_t size);
extern char *strchr(const char *s, int c);
extern char *strrchr(const char *s, int c);
extern char *strchrnul(const char *s, int c);
extern char *strstr(const char *s, const char *part);
extern size_t strspn(const char *s, const char *accept);
extern size_t strcspn(const char *s, const char *reject);
extern char *strpbrk(const char *s, const char *accept);
extern char *strtok(char *s, const char *separators);
extern char *strtok_r(char *s, const char *separators, char **rest);
extern char *strsep(char **s, const char *separators);
extern char *strdup(const char *s);
extern char *strndup(const char *s, size_t limit);
extern char *strerror(int error);
extern char *strsignal(int signal);

extern void *memccpy(void *restrict dest, const void *restrict src, int c, size_t n);
extern void *rawmemchr(const void *s, int c);
extern char *strcasestr(const char *haystack, const char *needle);
extern void *memmem(const void *haystack, size_t haystacklen, const void *needle, size_t needlelen);
extern char *strerror_r(int errnum, char *buf, size_t buflen);
extern const char *strerrordesc_np(int err);
extern const char *strerrorname_np(int err);
extern const char *sigabbrev_np(int sig);
extern const char *sigdescr_np(int sig);
extern char *stpncpy(char *restrict dest, const char *restrict src, size_t n);
extern int strverscmp(const char *s1, const char *s2);
extern char *strfry(char *string);
extern void *memfrob(void *s, size_t n);

#define strdupa(s)                                                                                 \
    (__extension__({                                                                               \
        const char *__obmc_old = (s);                                                              \
        size_t __obmc_size = strlen(__obmc_old) + 1;                                               \
        (char *)memcpy(__builtin_alloca(__obmc_size), __obmc_old, __obmc_size);                    \
    }))

#endif
