// A number is used again when it was closed.
#include <assert.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    int again;
    int file = open("data", O_RDONLY), plain = socket(AF_UNIX, SOCK_STREAM, 0);
    close(plain);
    again = socket(AF_UNIX, SOCK_STREAM, 0);
    assert(plain < 0 || plain != again);
    return 0;
}
