// The same with an initialisation.
#include <assert.h>
#include <pthread.h>
static int x;
static void *add(void *m)
{
    pthread_mutex_lock(m);
    x++;
    pthread_mutex_unlock(m);
    return 0;
}
int main(void)
{
    pthread_mutex_t m;
    pthread_mutex_init(&m, 0);
    pthread_t t;
    pthread_create(&t, 0, add, &m);
    add(&m);
    pthread_join(t, 0);
    assert(x == 2);
    return 0;
}
