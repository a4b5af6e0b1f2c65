/* The end of a local's life is no access: whoever writes to it later makes a memory error. */
#include <pthread.h>
static void *writes(void *arg) { *(int *)arg = 2; return 0; }
static void starts(void)
{
    pthread_t thread;
    int local = 1;
    pthread_create(&thread, 0, writes, &local);
}
int main(void)
{
    starts();
    pthread_exit(0);
}
