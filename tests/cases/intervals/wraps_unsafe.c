/* Bytes wrap around: one of the ends. */
#include <assert.h>
#include <pthread.h>

unsigned char a = 200, b = 50;

void *first(void *unused)
{
    a += b;
    a += b;
    return 0;
}

void *second(void *unused)
{
    b += a;
    return 0;
}

int main(void)
{
    pthread_t x, y;
    pthread_create(&x, 0, first, 0);
    pthread_create(&y, 0, second, 0);
    pthread_join(x, 0);
    pthread_join(y, 0);
    assert(a != 44);
    return 0;
}
