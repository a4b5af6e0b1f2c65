#ifndef _SYSLOG_H
#define _SYSLOG_H 1

#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_INFO 6
#define LOG_DEBUG 7

extern void syslog(int priority, const char *format, ...);
extern void openlog(const char *name, int option, int facility);
extern void closelog(void);

#endif
