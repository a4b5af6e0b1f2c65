/* A number that the other thread changes gets below zero. */
#include <assert.h>
#include <pthread.h>

int level = 3, seen;

void *lower(void *unused)
{
    for (int i = 0; i < 3; i++)
        level = level - 1;
    return 0;
}

void *other(void *unused)
{
    seen = level - 1;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, lower, 0);
    pthread_create(&b, 0, other, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(seen >= 0);
    return 0;
}
