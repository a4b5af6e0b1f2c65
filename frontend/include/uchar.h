#ifndef _UCHAR_H
#define _UCHAR_H 1

typedef unsigned short int char16_t;
typedef unsigned int char32_t;

#endif
