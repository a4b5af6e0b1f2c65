/* Two threads add the other's number to their own: no more than Fibonacci. */
#include <assert.h>
#include <pthread.h>

#define N 6

int a = 1, b = 1;

void *add_to_a(void *unused)
{
    for (int i = 0; i < N; i++)
        a += b;
    return 0;
}

void *add_to_b(void *unused)
{
    for (int i = 0; i < N; i++)
        b += a;
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, add_to_a, 0);
    pthread_create(&second, 0, add_to_b, 0);
    int seen = a;
    assert(seen <= 377);
    return 0;
}
