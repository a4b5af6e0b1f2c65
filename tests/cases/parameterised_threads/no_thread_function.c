/* The thread has no function to run, but its starter goes on. */
#include <pthread.h>

void reach_error(void) {}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, 0, 0);
    reach_error();
    return 0;
}
