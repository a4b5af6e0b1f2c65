// Two threads add the other's number to their own, N times each: neither gets beyond Fibonacci's.
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
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
    int last = 1, next = 1; // the largest number after 2 * N additions
    for (int i = 0; i < 2 * N; i++) {
        int sum = last + next;
        last = next;
        next = sum;
    }
    pthread_t first, second;
    pthread_create(&first, 0, add_to_a, 0);
    pthread_create(&second, 0, add_to_b, 0);
    int seen_a = a, seen_b = b;
    assert(seen_a <= next && seen_b <= next);
    return 0;
}
