#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H 1

#include <bits/obmc-types.h>
#include <bits/obmc-threads.h>

typedef unsigned char u_char;
typedef unsigned short int u_short;
typedef unsigned int u_int;
typedef unsigned long int u_long;
typedef long long int quad_t;
typedef unsigned long long int u_quad_t;
typedef char *caddr_t;
typedef int daddr_t;

typedef unsigned long int ulong;
typedef unsigned short int ushort;
typedef unsigned int uint;

typedef signed char int8_t;
typedef short int int16_t;
typedef int int32_t;
typedef __INT64_TYPE__ int64_t;
typedef unsigned char u_int8_t;
typedef unsigned short int u_int16_t;
typedef unsigned int u_int32_t;
typedef __UINT64_TYPE__ u_int64_t;
typedef long int register_t;

#include <sys/select.h>

#endif
