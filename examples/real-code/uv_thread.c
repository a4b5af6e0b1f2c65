/* libuv: mutex, condition variable and rwlock between two threads. */
#include <assert.h>
#include <stdlib.h>
#include "uv.h"

static uv_mutex_t lock;
static uv_cond_t changed;
static uv_rwlock_t guard;
static int value, seen;

static void consumer(void *unused)
{
    (void)unused;
    uv_mutex_lock(&lock);
    while (!value)
        uv_cond_wait(&changed, &lock);
    seen = value;
    uv_mutex_unlock(&lock);
    uv_rwlock_wrlock(&guard);
    value = 2;
    uv_rwlock_wrunlock(&guard);
}

int main(void)
{
    uv_thread_t thread;
    if (uv_mutex_init(&lock) || uv_cond_init(&changed) || uv_rwlock_init(&guard))
        return 0;
    if (uv_thread_create(&thread, consumer, 0))
        return 0;
    uv_mutex_lock(&lock);
    value = 1;
    uv_cond_signal(&changed);
    uv_mutex_unlock(&lock);
    uv_rwlock_rdlock(&guard);
    assert(value == 1 || value == 2);
    uv_rwlock_rdunlock(&guard);
    uv_thread_join(&thread);
    assert(value == 2);
    return 0;
}
