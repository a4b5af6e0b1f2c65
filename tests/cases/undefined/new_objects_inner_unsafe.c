/* The pointer in the object may lead anywhere. */
struct item {
    int n;
    struct item *next;
};

struct item *find(int key);
void reach_error(void) {}

int main(void)
{
    struct item *p = find(1), *q = find(2);
    p->n = 3;
    q->n = 4;
    p->next->n = 5;
    if (p->n != 3)
        reach_error();
    return 0;
}
