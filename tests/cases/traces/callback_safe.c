// The same with cells.
#include <pthread.h>
#include <stdlib.h>

struct table {
    int size;
    int *cells;
};

static int cells[2];
static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct table *table;

static void setup(void)
{
    table = malloc(sizeof *table);
    if (!table)
        abort();
    *table = (struct table){ .size = 2, .cells = cells };
    table->cells[0] = 1;
}

int main(void)
{
    pthread_once(&once, setup);
    int size = table->size;
    free(table);
    return size;
}
