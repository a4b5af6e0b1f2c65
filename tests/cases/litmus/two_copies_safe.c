/* The program of two_lines_of_writes_safe.c twice; an input chooses which copy counts. What the second
   stage learns about one copy must not hide the other. */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
int x0, y0, a0, b0, c0, d0, e0, f0, g0, h0;

int x1, y1, a1, b1, c1, d1, e1, f1, g1, h1, go1;

void *t1(void *unused)
{
    x0 = 1;
    a0 = y0;
    b0 = x0;
    return 0;
}

void *t2(void *unused)
{
    x0 = 2;
    c0 = y0;
    d0 = x0;
    return 0;
}

void *t3(void *unused)
{
    y0 = 1;
    e0 = x0;
    f0 = y0;
    return 0;
}

void *t4(void *unused)
{
    y0 = 2;
    g0 = x0;
    h0 = y0;
    return 0;
}

void *t5(void *unused)
{
    x1 = 1;
    a1 = y1;
    b1 = x1;
    go1 = 1;
    return 0;
}

void *t6(void *unused)
{
    if (!go1) return 0;
    x1 = 2;
    c1 = y1;
    d1 = x1;
    return 0;
}

void *t7(void *unused)
{
    y1 = 1;
    e1 = x1;
    f1 = y1;
    return 0;
}

void *t8(void *unused)
{
    y1 = 2;
    g1 = x1;
    h1 = y1;
    return 0;
}

int main(void)
{
    pthread_t t[8];
    int bit = __VERIFIER_nondet_int();
    pthread_create(&t[0], 0, t1, 0);
    pthread_create(&t[1], 0, t2, 0);
    pthread_create(&t[2], 0, t3, 0);
    pthread_create(&t[3], 0, t4, 0);
    pthread_create(&t[4], 0, t5, 0);
    pthread_create(&t[5], 0, t6, 0);
    pthread_create(&t[6], 0, t7, 0);
    pthread_create(&t[7], 0, t8, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    pthread_join(t[3], 0);
    pthread_join(t[4], 0);
    pthread_join(t[5], 0);
    pthread_join(t[6], 0);
    pthread_join(t[7], 0);
    assert(!(bit ? a0 == 1 && b0 == 1 && c0 == 2 && d0 == 2 && e0 == 2 && f0 == 1 && g0 == 1 && h0 == 2
                 : a1 == 1 && b1 == 1 && c1 == 2 && d1 == 2 && e1 == 2 && f1 == 1 && g1 == 1 && h1 == 2));
    return 0;
}
