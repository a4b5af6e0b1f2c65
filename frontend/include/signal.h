#ifndef _SIGNAL_H
#define _SIGNAL_H 1

#include <bits/obmc-types.h>
#include <bits/obmc-threads.h>

typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;

#define SIG_ERR ((__sighandler_t)-1)
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)

#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGIOT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGTSTP 20
#define NSIG 65

#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2

#define SA_NOCLDSTOP 1
#define SA_NOCLDWAIT 2
#define SA_SIGINFO 4
#define SA_ONSTACK 0x08000000
#define SA_RESTART 0x10000000
#define SA_NODEFER 0x40000000
#define SA_RESETHAND 0x80000000

union sigval {
    int sival_int;
    void *sival_ptr;
};

typedef union sigval sigval_t;
typedef union sigval __sigval_t;

typedef struct {
    void *ss_sp;
    int ss_flags;
    size_t ss_size;
} stack_t;

typedef struct {
    int si_signo;
    int si_errno;
    int si_code;
    pid_t si_pid;
    uid_t si_uid;
    void *si_addr;
    int si_status;
    union sigval si_value;
    int __rest[sizeof(void *) == 8 ? 20 : 24];
} siginfo_t;

struct sigaction {
    union {
        __sighandler_t sa_handler;
        void (*sa_sigaction)(int, siginfo_t *, void *);
    } __sigaction_handler;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};
#define sa_handler __sigaction_handler.sa_handler
#define sa_sigaction __sigaction_handler.sa_sigaction

extern __sighandler_t signal(int signal, __sighandler_t handler);
extern int sigaction(int signal, const struct sigaction *action, struct sigaction *old);
extern int raise(int signal);
extern int kill(pid_t process, int signal);
extern int pthread_kill(pthread_t thread, int signal);
extern int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
extern int sigprocmask(int how, const sigset_t *set, sigset_t *old);
extern int sigemptyset(sigset_t *set);
extern int sigfillset(sigset_t *set);
extern int sigaddset(sigset_t *set, int signal);
extern int sigdelset(sigset_t *set, int signal);
extern int sigismember(const sigset_t *set, int signal);
extern int sigwait(const sigset_t *set, int *signal);
extern int sigsuspend(const sigset_t *mask);

#define SIGIO 29
#define SIGCLD 17
#define SIGSTKFLT 16
#define SIGPWR 30
#define SIGSYS 31
#define SIGURG 23
#define SIGTTIN 21
#define SIGTTOU 22
#define SIGPOLL 29
#define SIGXFSZ 25
#define SIGXCPU 24
#define SIGVTALRM 26
#define SIGPROF 27
#define SIGWINCH 28
#define SI_ASYNCNL (-60)
#define SI_DETHREAD (-7)
#define SI_TKILL (-6)
#define SI_SIGIO (-5)
#define SI_ASYNCIO (-4)
#define SI_MESGQ (-3)
#define SI_TIMER (-2)
#define SI_QUEUE (-1)
#define SI_USER 0
#define SI_KERNEL 128
#define ILL_ILLOPC 1
#define ILL_ILLOPN 2
#define ILL_ILLADR 3
#define ILL_ILLTRP 4
#define ILL_PRVOPC 5
#define ILL_PRVREG 6
#define ILL_COPROC 7
#define ILL_BADSTK 8
#define ILL_BADIADDR 9
#define FPE_INTDIV 1
#define FPE_INTOVF 2
#define FPE_FLTDIV 3
#define FPE_FLTOVF 4
#define FPE_FLTUND 5
#define FPE_FLTRES 6
#define FPE_FLTINV 7
#define FPE_FLTSUB 8
#define FPE_FLTUNK 14
#define FPE_CONDTRAP 15
#define SEGV_MAPERR 1
#define SEGV_ACCERR 2
#define SEGV_BNDERR 3
#define SEGV_PKUERR 4
#define SEGV_ACCADI 5
#define SEGV_ADIDERR 6
#define SEGV_ADIPERR 7
#define SEGV_MTEAERR 8
#define SEGV_MTESERR 9
#define BUS_ADRALN 1
#define BUS_ADRERR 2
#define BUS_OBJERR 3
#define BUS_MCEERR_AR 4
#define BUS_MCEERR_AO 5
#define TRAP_BRKPT 1
#define TRAP_TRACE 2
#define TRAP_BRANCH 3
#define TRAP_HWBKPT 4
#define TRAP_UNK 5
#define CLD_EXITED 1
#define CLD_KILLED 2
#define CLD_DUMPED 3
#define CLD_TRAPPED 4
#define CLD_STOPPED 5
#define CLD_CONTINUED 6
#define POLL_IN 1
#define POLL_OUT 2
#define POLL_MSG 3
#define POLL_ERR 4
#define POLL_PRI 5
#define POLL_HUP 6
#define SIGEV_SIGNAL 0
#define SIGEV_NONE 1
#define SIGEV_THREAD 2
#define SIGEV_THREAD_ID 4
#define SA_INTERRUPT 0x20000000
#define SA_NOMASK 0x40000000
#define SA_ONESHOT 0x80000000
#define SA_STACK 0x8000000
#define FP_XSTATE_MAGIC1 0x46505853U
#define FP_XSTATE_MAGIC2 0x46505845U
#define FP_XSTATE_MAGIC2_SIZE 4
#define SS_ONSTACK 1
#define SS_DISABLE 2

extern __sighandler_t sysv_signal(int sig, __sighandler_t handler);
extern int killpg(pid_t pgrp, int sig);
extern __sighandler_t ssignal(int sig, __sighandler_t handler);
extern int gsignal(int sig);
extern void psignal(int sig, const char *s);
extern void psiginfo(const siginfo_t *pinfo, const char *s);
extern int sigpause(int sig);
extern int sigblock(int mask);
extern int sigsetmask(int mask);
extern int siggetmask(void);
extern int sigisemptyset(const sigset_t *set);
extern int sigandset(sigset_t *set, const sigset_t *left, const sigset_t *right);
extern int sigorset(sigset_t *set, const sigset_t *left, const sigset_t *right);
extern int sigpending(sigset_t *set);
extern int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info);
extern int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict timeout);
extern int sigqueue(pid_t pid, int sig, const union sigval val);
extern int sigreturn(struct sigcontext *scp);
extern int siginterrupt(int sig, int interrupt);
extern int sigstack(struct sigstack *ss, struct sigstack *oss);
extern int sighold(int sig);
extern int sigrelse(int sig);
extern int sigignore(int sig);
extern __sighandler_t sigset(int sig, __sighandler_t disp);
extern int tgkill(pid_t tgid, pid_t tid, int signal);

extern int sigaltstack(const stack_t *stack, stack_t *old);

#endif
