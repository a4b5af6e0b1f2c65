void reach_error(void);

int main(void)
{
    void (*called)(void) = reach_error;
    called();
    return 0;
}
