/* The result of a call ends with the expression (C17, 6.2.4): a pointer into it may not be used afterwards. */
struct pair {
    int both[2];
};

struct pair make(int first)
{
    struct pair made = {{first, 2}};
    return made;
}

int main(void)
{
    int *kept = make(1).both;
    return *kept;
}
