/* Who asks twice gets the same answer. */
#include <assert.h>
#include <stdlib.h>
int main(void)
{
    char *home = getenv("HOME");
    if (home && home[0] == '/') {
        assert(getenv("HOME")[0] == '/');
        assert(getenv("HOM") != home);
    }
    return 0;
}
