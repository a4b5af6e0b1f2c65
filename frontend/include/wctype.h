#ifndef _WCTYPE_H
#define _WCTYPE_H 1

#include <wchar.h>

extern int iswalnum(wint_t c);
extern int iswalpha(wint_t c);
extern int iswdigit(wint_t c);
extern int iswspace(wint_t c);
extern int iswxdigit(wint_t c);
extern wint_t towlower(wint_t c);
extern wint_t towupper(wint_t c);

#endif
