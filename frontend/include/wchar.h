#ifndef _WCHAR_H
#define _WCHAR_H 1

#include <stddef.h>
#include <stdio.h>

typedef unsigned int wint_t;
typedef struct {
    int __count;
    unsigned int __value;
} mbstate_t;
typedef mbstate_t __mbstate_t;

#define WEOF 4294967295U
#ifndef WCHAR_MIN
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
#endif

extern size_t wcslen(const wchar_t *s);
extern wchar_t *wcscpy(wchar_t *to, const wchar_t *from);
extern wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t size);
extern wchar_t *wcscat(wchar_t *to, const wchar_t *from);
extern int wcscmp(const wchar_t *a, const wchar_t *b);
extern int wcsncmp(const wchar_t *a, const wchar_t *b, size_t size);
extern wchar_t *wcschr(const wchar_t *s, wchar_t c);
extern wchar_t *wmemset(wchar_t *to, wchar_t c, size_t size);
extern wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t size);
extern int wprintf(const wchar_t *format, ...);
extern int fwprintf(FILE *stream, const wchar_t *format, ...);
extern wint_t putwchar(wchar_t c);

#endif
