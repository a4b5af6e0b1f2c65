// A matrix of variable size, filled by one thread per row, each going one element too far.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int columns;
static void *matrix;

static void *fill(void *arg) {
    int (*m)[columns] = matrix;
    int row = *(int *)arg;
    for (int i = 0; i <= columns; i++) m[row][i] = row + i;
    return 0;
}

static int corner(int n, int k, int a[n][k]) { return a[n - 1][k - 1]; }

int main(void) {
    int rows = 2;
    columns = 3;
    int m[rows][columns];
    matrix = m;
    pthread_t t[2];
    int number[2] = {0, 1};
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, fill, &number[i]);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(sizeof m == 24 && sizeof m[0] == 12);
    assert(corner(rows, columns, m) == 3);
    return 0;
}
