/* Looking at the value of a semaphore orders nothing; taking a unit does. */
#include <pthread.h>
#include <semaphore.h>
static sem_t done;
static int data;
static void *gives(void *arg)
{
    data = 1;
    sem_post(&done);
    return 0;
}
static void *takes(void *arg)
{
    int value;
    sem_getvalue(&done, &value);
    if (value)
        data = 2;
    return 0;
}
int main(void)
{
    pthread_t a, b;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, gives, 0);
    pthread_create(&b, 0, takes, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
