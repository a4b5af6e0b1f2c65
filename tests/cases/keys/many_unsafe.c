#include <assert.h>
#include <pthread.h>
static pthread_key_t k[20];
int main(void) {
    int x[20];
    for (int i = 0; i < 20; i++)
        pthread_key_create(&k[i], 0);
    for (int i = 0; i < 20; i++)
        pthread_setspecific(k[i], &x[i]);
    assert(pthread_getspecific(k[18]) == &x[19]);
    return 0;
}
