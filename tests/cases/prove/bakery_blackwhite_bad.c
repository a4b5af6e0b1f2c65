#include <pthread.h>
#include <assert.h>
/* The bakery with two colours of tickets, of which all have the same number. */
enum { BLACK, WHITE };
int color, in;
int choosing[2], number[2], mycolor[2];
void *worker(void *arg)
{
    int i = (int)(long)arg, j = 1 - i;
    while (1) {
        choosing[i] = 1;
        mycolor[i] = color;
        number[i] = 1;
        choosing[i] = 0;
        while (choosing[j])
            ;
        while (1) {
            int other = number[j];
            if (other == 0)
                break;
            if (mycolor[j] == mycolor[i]) {
                if (number[i] <= other)
                    break;
            } else if (color != mycolor[i])
                break;
        }
        in++;
        assert(in == 1);
        in--;
        color = 1 - mycolor[i];
        number[i] = 0;
    }
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, (void *)0);
    pthread_create(&b, 0, worker, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
