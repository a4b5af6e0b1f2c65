#include <pthread.h>
#include <assert.h>
/* Dekker's algorithm for two threads, for ever. */
int wants[2], turn, in;
void *one(void *arg)
{
    while (1) {
        wants[0] = 1;
        in++;
        assert(in == 1);
        in--;
        turn = 1;
        wants[0] = 0;
    }
}
void *two(void *arg)
{
    while (1) {
        wants[1] = 1;
        while (wants[0]) {
            if (turn != 1) {
                wants[1] = 0;
                while (turn != 1)
                    ;
                wants[1] = 1;
            }
        }
        in++;
        assert(in == 1);
        in--;
        turn = 0;
        wants[1] = 0;
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
