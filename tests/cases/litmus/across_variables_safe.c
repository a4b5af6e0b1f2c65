/* An order on x follows from one on y and the other way round: one pass over the variables, in
   whatever order, does not find the cycle. */
#include <assert.h>
#include <pthread.h>

int x, y, a, b, c = 1;

void *t1(void *unused)
{
    y = 1;
    a = x;
    b = x;
    return 0;
}

void *t2(void *unused)
{
    x = 2;
    c = y;
    return 0;
}

void *t3(void *unused)
{
    x = 3;
    return 0;
}

int main(void)
{
    pthread_t t[3];
    pthread_create(&t[0], 0, t1, 0);
    pthread_create(&t[1], 0, t2, 0);
    pthread_create(&t[2], 0, t3, 0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    pthread_join(t[2], 0);
    assert(!(a == 3 && b == 2 && c == 0));
    return 0;
}
