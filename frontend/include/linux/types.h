#ifndef _LINUX_TYPES_H
#define _LINUX_TYPES_H 1

typedef signed char __s8;
typedef unsigned char __u8;
typedef short int __s16;
typedef unsigned short int __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long int __s64;
typedef unsigned long long int __u64;

#endif
