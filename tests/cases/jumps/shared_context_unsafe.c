// Two threads save into the same buffer.
#include <pthread.h>
#include <setjmp.h>
static jmp_buf context;
static void *worker(void *arg)
{
    if (setjmp(context) == 0)
        return arg;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
