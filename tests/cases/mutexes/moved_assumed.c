// The same by the library.
#include <pthread.h>
#include <assert.h>
#include <string.h>
static pthread_mutex_t a, b;
int main(void)
{
    pthread_mutex_init(&a, 0);
    memcpy(&b, &a, sizeof a);
    assert(pthread_mutex_lock(&b) == 0);
    pthread_mutex_unlock(&b);
    return 0;
}
