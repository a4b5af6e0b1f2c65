// A jump out of the block ends the local, even if the same block is entered again.
int main(void) {
    int *p = 0;
    int rounds = 0;
again:
    {
        if (p)
            return *p;
        int x;
        x = 7;
        p = &x;
        if (++rounds < 2)
            goto again;
    }
    return 0;
}
