// A name with the label of the function that is not to be called.
void fail(void) __asm__("reach_error");
int main(void)
{
    fail();
    return 0;
}
