extern void abort(void);
void reach_error(void)
{
    abort();
}

static void fine(void)
{
}

int main(void)
{
    void (*called)(void) = fine;
    called();
    return called == reach_error;
}
