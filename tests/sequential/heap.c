typedef __SIZE_TYPE__ size_t;
void out(long long);
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void free(void *);
struct node { int key; struct node *l, *r; };
static struct node *insert(struct node *t, int key) {
    if (!t) { t = calloc(1, sizeof *t); t->key = key; return t; }
    if (key < t->key) t->l = insert(t->l, key); else t->r = insert(t->r, key);
    return t;
}
static void walk(struct node *t) { if (!t) return; walk(t->l); out(t->key); walk(t->r); free(t); }
int main(void) {
    struct node *t = 0;
    unsigned x = 7;
    for (int i = 0; i < 8; i++) { x = x * 1103515245u + 12345u; t = insert(t, (x >> 16) % 100); }
    walk(t);
    int *v = malloc(2 * sizeof *v);
    v[0] = 1; v[1] = 2;
    v = realloc(v, 4 * sizeof *v);
    v[3] = 4;
    out(v[0] + v[1] + v[3]);
    free(v);
    free(0);
    char **rows = malloc(3 * sizeof *rows);
    for (int i = 0; i < 3; i++) { rows[i] = calloc(i + 1, 1); rows[i][i] = 'a' + i; }
    for (int i = 0; i < 3; i++) { out(rows[i][0]); free(rows[i]); }
    free(rows);
    return 0;
}
