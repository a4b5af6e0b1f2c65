/* Reads alone order no two writes here, but every line of the writes to x contradicts one of the
   writes to y: weak sequential consistency allows the outcome, sequential consistency does not. */
/* The smallest program that needs the second stage. */
#include <assert.h>
#include <pthread.h>

int x, y, a, b, c, d, e, f, g, h;

void *t1(void *unused)
{
    x = 1;
    a = y;
    b = x;
    return 0;
}

void *t2(void *unused)
{
    x = 2;
    c = y;
    d = x;
    return 0;
}

void *t3(void *unused)
{
    y = 1;
    e = x;
    f = y;
    return 0;
}

void *t4(void *unused)
{
    y = 2;
    g = x;
    h = y;
    return 0;
}

int main(void)
{
    pthread_t t[4];
    pthread_create(&t[0], 0, t1, 0);
    pthread_create(&t[1], 0, t2, 0);
    pthread_create(&t[2], 0, t3, 0);
    pthread_create(&t[3], 0, t4, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    pthread_join(t[3], 0);
    assert(!(a == 1 && b == 1 && c == 2 && d == 2 && e == 2 && f == 1 && g == 1 && h == 2));
    return 0;
}
