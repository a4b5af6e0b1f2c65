/* The error comes before the object. */
int *find(int key);
void reach_error(void) {}

int x;

int main(void)
{
    if (x == 0)
        reach_error();
    *find(1) = 1;
    return 0;
}
