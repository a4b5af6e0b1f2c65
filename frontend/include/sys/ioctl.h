#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H 1

extern int ioctl(int file, unsigned long int request, ...);

#endif
