// setrlimit reads the limits that another thread writes.
#include <pthread.h>
#include <sys/resource.h>

struct rlimit limit;

void *writer(void *arg)
{
    limit.rlim_max = 2;
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    setrlimit(RLIMIT_CORE, &limit);
    pthread_join(t, 0);
    return 0;
}
