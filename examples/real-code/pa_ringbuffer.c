/* PortAudio: the ring buffer, one writer and one reader. */
#include <assert.h>
#include <pthread.h>
#include "pa_ringbuffer.h"

static PaUtilRingBuffer ring;
static int cells[2];

static void *write_values(void *unused)
{
    int values[2] = {1, 2};
    PaUtil_WriteRingBuffer(&ring, values, 1);
    PaUtil_WriteRingBuffer(&ring, values + 1, 1);
    return unused;
}

int main(void)
{
    pthread_t writer;
    int seen[2];
    PaUtil_InitializeRingBuffer(&ring, sizeof cells[0], 2, cells);
    pthread_create(&writer, 0, write_values, 0);
    ring_buffer_size_t got = PaUtil_ReadRingBuffer(&ring, seen, 2);
    for (ring_buffer_size_t i = 0; i < got; i++)
        assert(seen[i] == i + 1);
    pthread_join(writer, 0);
    assert(PaUtil_GetRingBufferReadAvailable(&ring) == 2 - got);
    return 0;
}
