/* A write to what is constant shows in no compiled program; the crash behind it is another violation. */
int main(void)
{
    const int limit = 1;
    int *nowhere = 0;
    *(int *)&limit = 2;
    *nowhere = limit;
    return 0;
}
