/* Three threads work on their own cells under a lock, many steps; a fourth looks at the sum under it. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int a, b, other[3];

static void *work(void *arg)
{
    int *mine = arg;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        a++;
        b--;
        pthread_mutex_unlock(&m);
        *mine += 1;
    }
    return 0;
}

static void *look(void *arg)
{
    pthread_mutex_lock(&m);
    int sum = a + b;
    pthread_mutex_unlock(&m);
    assert(sum == 0);
    return arg;
}

int main(void)
{
    pthread_t ids[4];
    for (int i = 0; i < 3; i++)
        pthread_create(&ids[i], 0, work, &other[i]);
    pthread_create(&ids[3], 0, look, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(ids[i], 0);
    assert(other[0] + other[1] + other[2] == 9);
    return 0;
}
