// Standard input holds anything, and so does a file of others.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char c = 'a';
    int f = open("settings", O_RDONLY);
    if (f >= 0 && read(f, &c, 1) == 1)
        assert(c == 'a');
    return 0;
}
