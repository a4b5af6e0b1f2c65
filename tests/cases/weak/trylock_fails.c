// Who fails to lock learns nothing of what the owner did before.
#include <assert.h>
#include <pthread.h>

int data, seen = 1;
pthread_mutex_t m;

void *owner(void *p)
{
    data = 1;
    pthread_mutex_lock(&m);
    return p;
}

void *other(void *p)
{
    if (pthread_mutex_trylock(&m) != 0) {
        seen = data;
    }
    return p;
}

int main(void)
{
    pthread_t s, t;
    pthread_mutex_init(&m, 0);
    pthread_create(&s, 0, owner, 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(s, 0);
    pthread_join(t, 0);
    assert(seen == 1 || seen == 0);
    return 0;
}
