// POSIX leaves open what a jump out of pthread_cleanup_push does.
#include <pthread.h>
#include <setjmp.h>
static jmp_buf context;
static void nothing(void *p) { (void)p; }
static void work(void)
{
    pthread_cleanup_push(nothing, 0);
    longjmp(context, 1);
    pthread_cleanup_pop(0);
}
int main(void)
{
    if (setjmp(context) == 0)
        work();
    return 0;
}
