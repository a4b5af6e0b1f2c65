/* What a thread returns belongs to who joins it. */
#include <pthread.h>
#include <stdlib.h>
static void *makes(void *arg) { return malloc(4); }
int main(void)
{
    pthread_t thread;
    void *block = 0;
    pthread_create(&thread, 0, makes, 0);
    pthread_join(thread, &block);
    free(block);
    return 0;
}
