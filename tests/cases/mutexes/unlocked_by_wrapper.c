/* Each thread unlocks what it holds: by functions of its own, after a trylock, in a loop that is left early. */
#include <assert.h>
#include <pthread.h>

struct account {
    int balance;
    pthread_mutex_t mutex;
} account = {0, PTHREAD_MUTEX_INITIALIZER};

static void enter(struct account *of)
{
    pthread_mutex_lock(&of->mutex);
}

static void leave(struct account *of)
{
    pthread_mutex_unlock(&of->mutex);
}

void *thread(void *none)
{
    struct account *mine = &account;
    for (int i = 0; i < 2; i++) {
        enter(mine);
        if (mine->balance++) {
            leave(mine);
            break;
        }
        leave(mine);
    }
    if (!pthread_mutex_trylock(&mine->mutex))
        leave(&account);
    return 0;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, 0, thread, 0);
    enter(&account);
    assert(account.balance >= 0);
    leave(&account);
    pthread_join(id, 0);
    return 0;
}
