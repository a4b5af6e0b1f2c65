// Open files and sockets have different numbers.
#include <assert.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    int pair[2];
    int file = open("data", O_RDONLY), plain = socket(AF_UNIX, SOCK_STREAM, 0);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        return 0;
    assert(pair[0] >= 0 && pair[1] >= 0 && pair[0] != pair[1]);
    assert(file < 0 || (file != pair[0] && file != plain));
    assert(plain < 0 || (plain != pair[0] && plain != pair[1]));
    return 0;
}
