// The branch of an `if` is a block, with braces or without.
int choice(void);

int main(void) {
    int *p = &(int){1};
    if (choice())
        p = &(int){2};
    return *p;
}
