#include <pthread.h>
#include <assert.h>
/* Lamport's fast mutual exclusion for two threads, for ever. */
int x, y, b1, b2, in;
void *one(void *arg)
{
    while (1) {
        while (1) {
            b1 = 1;
            x = 1;
            if (y != 0) {
                b1 = 0;
                while (y != 0)
                    ;
                continue;
            }
            y = 1;
            if (x != 1) {
                b1 = 0;
                if (y != 1)
                    continue;
            }
            break;
        }
        in++;
        assert(in == 1);
        in--;
        y = 0;
        b1 = 0;
    }
}
void *two(void *arg)
{
    while (1) {
        while (1) {
            b2 = 1;
            x = 2;
            if (y != 0) {
                b2 = 0;
                while (y != 0)
                    ;
                continue;
            }
            y = 2;
            if (x != 2) {
                b2 = 0;
                while (b1 >= 1)
                    ;
                if (y != 2)
                    continue;
            }
            break;
        }
        in++;
        assert(in == 1);
        in--;
        y = 0;
        b2 = 0;
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
