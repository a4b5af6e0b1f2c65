/* Functions whose effect we do not model, though a call could change the program's state or end it.
 * Reaching one makes the answer UNKNOWN; without this file they would pass as functions that touch
 * nothing.
 */
_Noreturn void __obmc_unsupported(const char *what);

int fork(void)
{
    __obmc_unsupported("fork");
}

int vfork(void)
{
    __obmc_unsupported("vfork");
}

int execv(const char *path, void *args)
{
    __obmc_unsupported("execv");
}

int execve(const char *path, void *args, void *environment)
{
    __obmc_unsupported("execve");
}

int system(const char *command)
{
    __obmc_unsupported("system");
}

void *popen(const char *command, const char *mode)
{
    __obmc_unsupported("popen");
}

int waitpid(int process, int *status, int options)
{
    __obmc_unsupported("waitpid");
}

int wait(int *status)
{
    __obmc_unsupported("wait");
}

int kill(int process, int signal)
{
    __obmc_unsupported("kill");
}

int raise(int signal)
{
    __obmc_unsupported("raise");
}

void *signal(int signal, void *handler)
{
    __obmc_unsupported("signal");
}

int sigaction(int signal, const void *action, void *old)
{
    __obmc_unsupported("sigaction");
}

unsigned alarm(unsigned seconds)
{
    __obmc_unsupported("alarm");
}

int pthread_kill(unsigned long thread, int signal)
{
    __obmc_unsupported("pthread_kill");
}

int pthread_atfork(void *prepare, void *parent, void *child)
{
    __obmc_unsupported("pthread_atfork");
}

int atexit(void *function)
{
    __obmc_unsupported("atexit");
}

int at_quick_exit(void *function)
{
    __obmc_unsupported("at_quick_exit");
}

int on_exit(void *function, void *arg)
{
    __obmc_unsupported("on_exit");
}

char *getenv(const char *name)
{
    __obmc_unsupported("getenv");
}

int setenv(const char *name, const char *value, int overwrite)
{
    __obmc_unsupported("setenv");
}

int sprintf(char *to, const char *format, ...)
{
    __obmc_unsupported("sprintf");
}

int snprintf(char *to, unsigned long size, const char *format, ...)
{
    __obmc_unsupported("snprintf");
}

int vsprintf(char *to, const char *format, __builtin_va_list args)
{
    __obmc_unsupported("vsprintf");
}

int vsnprintf(char *to, unsigned long size, const char *format, __builtin_va_list args)
{
    __obmc_unsupported("vsnprintf");
}

int asprintf(char **to, const char *format, ...)
{
    __obmc_unsupported("asprintf");
}

int vasprintf(char **to, const char *format, __builtin_va_list args)
{
    __obmc_unsupported("vasprintf");
}

int __sprintf_chk(char *to, int flag, unsigned long room, const char *format, ...)
{
    __obmc_unsupported("__sprintf_chk");
}

int __snprintf_chk(char *to, unsigned long size, int flag, unsigned long room, const char *format, ...)
{
    __obmc_unsupported("__snprintf_chk");
}

int scanf(const char *format, ...)
{
    __obmc_unsupported("scanf");
}

int fscanf(void *stream, const char *format, ...)
{
    __obmc_unsupported("fscanf");
}

int sscanf(const char *s, const char *format, ...)
{
    __obmc_unsupported("sscanf");
}

int __isoc99_scanf(const char *format, ...)
{
    __obmc_unsupported("__isoc99_scanf");
}

int __isoc99_fscanf(void *stream, const char *format, ...)
{
    __obmc_unsupported("__isoc99_fscanf");
}

int __isoc99_sscanf(const char *s, const char *format, ...)
{
    __obmc_unsupported("__isoc99_sscanf");
}

char *gets(char *line)
{
    __obmc_unsupported("gets");
}

long getline(char **line, unsigned long *size, void *stream)
{
    __obmc_unsupported("getline");
}

unsigned long fread(void *block, unsigned long size, unsigned long count, void *stream)
{
    __obmc_unsupported("fread");
}

long read(int file, void *buffer, unsigned long size)
{
    __obmc_unsupported("read");
}

long recv(int socket, void *buffer, unsigned long size, int flags)
{
    __obmc_unsupported("recv");
}

int pipe(int *ends)
{
    __obmc_unsupported("pipe");
}

void *mmap(void *address, unsigned long size, int protection, int flags, int file, long offset)
{
    __obmc_unsupported("mmap");
}

int munmap(void *address, unsigned long size)
{
    __obmc_unsupported("munmap");
}

char *strerror(int error)
{
    __obmc_unsupported("strerror");
}

double strtod(const char *s, char **end)
{
    __obmc_unsupported("strtod");
}

float strtof(const char *s, char **end)
{
    __obmc_unsupported("strtof");
}

double atof(const char *s)
{
    __obmc_unsupported("atof");
}

unsigned long strftime(char *to, unsigned long size, const char *format, const void *time)
{
    __obmc_unsupported("strftime");
}

void *localtime(const long *time)
{
    __obmc_unsupported("localtime");
}

void *gmtime(const long *time)
{
    __obmc_unsupported("gmtime");
}

char *ctime(const long *time)
{
    __obmc_unsupported("ctime");
}

int pthread_getname_np(unsigned long thread, char *name, unsigned long size)
{
    __obmc_unsupported("pthread_getname_np");
}

long syscall(long number, ...)
{
    __obmc_unsupported("syscall");
}
