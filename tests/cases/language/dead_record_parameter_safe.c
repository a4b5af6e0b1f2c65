// A function that nothing calls takes a record by value; its argument count is still known.
void reach_error(void);
struct key { long part[3]; };
static int compare(struct key a, int n, struct key b) { return a.part[n] == b.part[n]; }
int twice(int n, struct key a) { return compare(a, n, a) + compare(a, n, a); }
int add(int a, int b) { return a + b; }
int main(void)
{
    if (add(1, 2) != 3)
        reach_error();
    return 0;
}
