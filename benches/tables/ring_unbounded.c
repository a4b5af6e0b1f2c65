#include <pthread.h>
#include <assert.h>
/* A ring of four cells: the consumer finds the number that the producer has put there. */
enum { SIZE = 4 };
unsigned head, tail, cell[SIZE];
void *producer(void *arg)
{
    while (1) {
        while (tail - head == SIZE)
            ;
        cell[tail % SIZE] = tail;
        tail = tail + 1;
    }
}
void *consumer(void *arg)
{
    while (1) {
        while (tail == head)
            ;
        assert(cell[head % SIZE] == head);
        head = head + 1;
    }
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, producer, 0);
    pthread_create(&b, 0, consumer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
