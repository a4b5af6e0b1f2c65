// The same by numbers of files.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c = 'a';
    int f = open("scratch", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (f < 0 || write(f, &c, 1) != 1 || lseek(f, 0, SEEK_SET) != 0)
        return 0;
    c = 0;
    if (read(f, &c, 1) == 1)
        assert(c == 'a');
    close(f);
    return 0;
}
