#include <pthread.h>
/* Each element has its own lock. */
unsigned __VERIFIER_nondet_uint(void);
struct element {
    pthread_mutex_t lock;
    int n, last;
} elements[8];
void *worker(void *arg)
{
    for (;;) {
        unsigned i = __VERIFIER_nondet_uint() % 8;
        struct element *element = &elements[i];
        pthread_mutex_lock(&element->lock);
        elements[i].n++;
        element->last = elements[i].n;
        pthread_mutex_unlock(&element->lock);
    }
}
int main(void)
{
    pthread_t thread;
    for (int i = 0; i < 8; i++)
        pthread_mutex_init(&elements[i].lock, 0);
    for (;;)
        pthread_create(&thread, 0, worker, 0);
}
