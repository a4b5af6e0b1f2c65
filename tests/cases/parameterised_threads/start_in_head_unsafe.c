/* What starts a thread before the bound is looked at starts one more than it allows. */
#include <pthread.h>
#include <threads.h>

thrd_t ids[3];
mtx_t m;
int data;

int worker(void *arg)
{
    mtx_lock(&m);
    data = 1;
    mtx_unlock(&m);
    return 0;
}

int main(void)
{
    int i;
    mtx_init(&m, mtx_plain);
    for (i = 0; thrd_create(&ids[i], worker, 0), i < 1; i++)
        ;
    for (i = 0; i < 1; i++)
        thrd_join(ids[i], 0);
    data = 2;
    return 0;
}
