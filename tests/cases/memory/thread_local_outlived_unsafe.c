// A thread-local variable ends with its thread; whoever has its address must not use it then.
#include <pthread.h>

__thread int mine = 1;
int *_Atomic found;
int seen;

void *owner(void *unused)
{
    found = &mine;
    return 0;
}

void *reader(void *unused)
{
    int *p = found;
    if (p != 0)
        seen = *p;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, owner, 0);
    pthread_create(&b, 0, reader, 0);
    pthread_join(b, 0);
    pthread_join(a, 0);
    return 0;
}
