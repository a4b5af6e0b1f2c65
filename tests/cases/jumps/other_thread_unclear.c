// A context of another thread: undefined.
#include <pthread.h>
#include <setjmp.h>
static jmp_buf context;
static void *worker(void *arg) { longjmp(context, 1); }
int main(void)
{
    pthread_t a;
    if (setjmp(context))
        return 1;
    pthread_create(&a, 0, worker, 0);
    pthread_join(a, 0);
    return 0;
}
