/* dav1d: two owners give up a counted buffer; the last one frees it. */
#include <assert.h>
#include <pthread.h>
#include "src/ref.h"

static int freed;

static void release(const uint8_t *data, void *unused)
{
    (void)data;
    (void)unused;
    freed++;
}

static void *give_up(void *reference)
{
    Dav1dRef *own = reference;
    dav1d_ref_dec(&own);
    return 0;
}

int main(void)
{
    static uint8_t bytes[4];
    pthread_t other;
    Dav1dRef *ref = dav1d_ref_wrap(bytes, release, 0);
    if (!ref)
        return 0;
    dav1d_ref_inc(ref);
    pthread_create(&other, 0, give_up, ref);
    dav1d_ref_dec(&ref);
    pthread_join(other, 0);
    assert(freed == 1);
    return 0;
}
