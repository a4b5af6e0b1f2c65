// localtime_r writes to its argument: without a model nothing can be said.
#include <assert.h>
#include <time.h>
int main(void) {
    struct tm t = {0};
    time_t now = 86400;
    localtime_r(&now, &t);
    assert(t.tm_year == 0);
    return 0;
}
