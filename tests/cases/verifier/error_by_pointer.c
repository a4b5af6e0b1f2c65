extern void abort(void);
void reach_error(void)
{
    abort();
}

static void fine(void)
{
}

/* A call, too. */
int main(void)
{
    void (*called)(void) = reach_error;
    called();
    return 0;
}
