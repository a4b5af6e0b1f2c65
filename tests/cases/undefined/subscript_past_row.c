/* Past the end of a row, inside of the matrix: undefined (J.2), though an access inside of the object. */
#include <assert.h>

int matrix[2][3];

int main(void)
{
    int column = 4;
    matrix[0][column] = 7;
    assert(matrix[1][1] == 7);
    return 0;
}
