// What goes wrong in a function that the library calls back is told where it is, not where the library was called.
#include <pthread.h>
#include <stdlib.h>

struct table {
    int size;
    int *cells;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct table *table;

static void setup(void)
{
    table = malloc(sizeof *table);
    if (!table)
        abort();
    *table = (struct table){ .size = 2 };
    table->cells[0] = 1;
}

int main(void)
{
    pthread_once(&once, setup);
    return table->size;
}
