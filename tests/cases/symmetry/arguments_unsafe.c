// The threads differ in what they are given: the second may be faster than the first.
#include <assert.h>
#include <pthread.h>

static int last;

static void *leave(void *number) {
    last = (int)(long)number;
    return NULL;
}

int main(void) {
    pthread_t thread[3];
    for (long i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, leave, (void *)(i + 1));
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(last != 1);
    return 0;
}
