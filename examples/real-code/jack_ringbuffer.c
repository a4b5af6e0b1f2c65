/* JACK: the ring buffer, one writer and one reader. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <jack/ringbuffer.h>

static jack_ringbuffer_t *ring;

static void *write_bytes(void *unused)
{
    char bytes[3] = {1, 2, 3};
    jack_ringbuffer_write(ring, bytes, 1);
    jack_ringbuffer_write(ring, bytes + 1, 2);
    return unused;
}

int main(void)
{
    pthread_t writer;
    char seen[3];
    size_t got;
    ring = jack_ringbuffer_create(4);
    if (!ring)
        return 0;
    pthread_create(&writer, 0, write_bytes, 0);
    got = jack_ringbuffer_read(ring, seen, 3);
    for (size_t i = 0; i < got; i++)
        assert(seen[i] == (char)(i + 1));
    pthread_join(writer, 0);
    assert(jack_ringbuffer_read_space(ring) == 3 - got);
    jack_ringbuffer_free(ring);
    return 0;
}
