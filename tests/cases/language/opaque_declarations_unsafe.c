// Declarations that no code needs: they must parse and mean nothing.
extern void reach_error(void);
struct unknown;
typedef struct unknown *handle;
extern int printf(const char *, ...);
int (*signal_like(int, int (*)(int)))(int);
typedef int grid[2][3];
enum e { A = sizeof(grid), B };
static int f(const grid g, int n[static 2]) { return g[1][2] + n[1]; }
int main(void) {
    grid g = {{1, 2, 3}, {4, 5, 6}};
    int n[2] = {10, 20};
    handle h = 0;
    if (f(g, n) != 25 || B != 25 || h)
        reach_error();
    return 0;
}
