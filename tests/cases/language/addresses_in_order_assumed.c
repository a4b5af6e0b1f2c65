// Which of two objects lies first is up to the layout.
int a, b;
int main(void)
{
    return &a < &b;
}
