#include <pthread.h>
#include <assert.h>
/* Szymanski's algorithm for two threads, for ever. */
int f1, f2, in;
void *one(void *arg)
{
    while (1) {
        f1 = 1;
        while (f2 >= 3)
            ;
        f1 = 3;
        if (f2 == 1) {
            f1 = 2;
            while (f2 != 4)
                ;
        }
        f1 = 4;
        in++;
        assert(in == 1);
        in--;
        while (1) {
            int other = f2;
            if (other < 2 || other > 3)
                break;
        }
        f1 = 0;
    }
}
void *two(void *arg)
{
    while (1) {
        f2 = 1;
        while (f1 >= 3)
            ;
        f2 = 3;
        if (f1 == 1) {
            f2 = 2;
            while (f1 != 4)
                ;
        }
        f2 = 4;
        while (f1 >= 2)
            ;
        in++;
        assert(in == 1);
        in--;
        f2 = 0;
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
