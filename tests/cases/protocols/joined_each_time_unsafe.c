// Who waits for a thread sees what it does meanwhile: nobody may take the join for done at once.
#include <pthread.h>
extern void reach_error(void);
int all, seen;
void *worker(void *arg) {
    int s = seen + 1;
    seen = s;
    if (seen > all)
        reach_error();
    return 0;
}
int main(void) {
    pthread_t id;
    for (int round = 0; round < 2; round++) {
        all = 2 - round;
        pthread_create(&id, 0, worker, 0);
        pthread_join(id, 0);
    }
    return 0;
}
