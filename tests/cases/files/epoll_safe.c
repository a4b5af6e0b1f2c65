// A server's loop: bytes of a client, then the end of its connection.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct connection { int file; int bytes; };

static int ends[2];

static void *client(void *arg)
{
    write(ends[1], "hi", 2);
    close(ends[1]);
    return arg;
}

static void serve(int instance, struct connection *connection)
{
    for (;;) {
        struct epoll_event event;
        char block[4];
        if (epoll_wait(instance, &event, 1, -1) < 0)
            exit(1);
        assert(event.data.ptr == connection);
        struct connection *ready = event.data.ptr;
        long done = read(ready->file, block, sizeof block);
        assert(done == 2 || (done == 0 && event.events == EPOLLHUP));
        ready->bytes += done;
        if (done == 0) {
            assert(epoll_ctl(instance, EPOLL_CTL_DEL, ready->file, 0) == 0);
            close(ready->file);
            break;
        }
    }
    assert(connection->bytes == 2);
    free(connection);
}

int main(void)
{
    pthread_t thread;
    struct connection *connection = calloc(1, sizeof *connection);
    int instance = epoll_create1(0);
    if (instance < 0 || pipe(ends) < 0)
        exit(1);
    connection->file = ends[0];
    struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };
    if (epoll_ctl(instance, EPOLL_CTL_ADD, ends[0], &event) < 0)
        exit(1);
    pthread_create(&thread, 0, client, 0);
    serve(instance, connection);
    pthread_join(thread, 0);
    return 0;
}
