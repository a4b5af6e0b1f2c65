// The pair of dead_record_parameter_safe.c: here the functions run.
void reach_error(void);
struct key { long part[3]; };
static int compare(struct key a, int n, struct key b) { return a.part[n] == b.part[n]; }
int twice(int n, struct key a) { return compare(a, n, a) + compare(a, n, a); }
int add(int a, int b) { return a + b; }
int main(void)
{
    struct key a = {{1, 2, 3}};
    if (add(1, twice(2, a)) == 3)
        reach_error();
    return 0;
}
