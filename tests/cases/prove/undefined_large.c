/* The array is too large for the system to place every access to it: that is no reason to end. */
#include <pthread.h>

void reach_error(void) {}

int stack[800], top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *push(void *arg)
{
    pthread_mutex_lock(&m);
    stack[top] = 7;
    top++;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, push, 0);
    pthread_mutex_lock(&m);
    if (top > 0) {
        top--;
        if (stack[top] == 7)
            reach_error();
    }
    pthread_mutex_unlock(&m);
    return 0;
}
