#include <pthread.h>
#include <assert.h>
/* Peterson's algorithm for two threads, for ever. */
int flag[2], turn, in;
void *one(void *arg)
{
    while (1) {
        flag[0] = 1;
        while (flag[1] == 1 && turn == 1)
            ;
        in++;
        assert(in == 1);
        in--;
        flag[0] = 0;
    }
}
void *two(void *arg)
{
    while (1) {
        flag[1] = 1;
        turn = 0;
        while (flag[0] == 1 && turn == 0)
            ;
        in++;
        assert(in == 1);
        in--;
        flag[1] = 0;
    }
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
