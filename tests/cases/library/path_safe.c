// Paths are read; results are numbers of files or an error that errno names.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void)
{
    char path[4] = "a/b";
    char block[3] = "xyz";
    int file = open(path, O_RDWR);
    if (file < 0) {
        assert(file == -1 && errno > 0);
        return 1;
    }
    long n = write(file, block, sizeof block);
    assert(n >= -1 && n <= 3);
    close(file);
    return access(path, 0);
}
