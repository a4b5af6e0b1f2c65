/* Which object an address belongs to, and whether it may be touched.
 *
 * Static objects are found in the symbol table of the running program. A heap block is known by its
 * number among the allocations of its thread, a local variable by a pointer to it that the script
 * says to look at. Blocks are never given back, so that every later access to one is noticed.
 */
#define _GNU_SOURCE
#include "replay.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int obmc_next_allocation(void);
int obmc_thread_number(void);

static char **bases;            /* by object; null: not known yet */
static const char *special_names[] = { "reach_error", "__VERIFIER_error", 0 };

struct function {
    char *address;
    const char *name;
};
static struct function *functions;
static int function_count;

typedef ElfW(Ehdr) Header;
typedef ElfW(Shdr) Section;
typedef ElfW(Sym) Symbol;

/* `x` is a symbol x, `f::x` (a static variable of f) is x.1 or the like. */
static int is_called(const char *symbol, const char *name)
{
    const char *local = strstr(name, "::");
    if (!local)
        return strcmp(symbol, name) == 0;
    local += 2;
    size_t length = strlen(local);
    return strncmp(symbol, local, length) == 0 && symbol[length] == '.';
}

static int load_address(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    *(uintptr_t *)found = info->dlpi_addr;
    return 1;
}

static int by_address(const void *a, const void *b)
{
    const struct function *f = a, *g = b;
    return f->address < g->address ? -1 : f->address > g->address;
}

static void know_function(const char *name, char *address)
{
    int wanted = strncmp(name, "__VERIFIER_atomic", 17) == 0;
    for (int i = 0; special_names[i]; i++)
        wanted |= strcmp(name, special_names[i]) == 0;
    if (wanted) {
        functions = realloc(functions, (function_count + 1) * sizeof *functions);
        functions[function_count++] = (struct function){ address, strdup(name) };
    }
}

/* Objects of one name are told apart by their order. */
static void know_object(const char *name, char *address, long size)
{
    for (int i = 0; i < obmc_object_count; i++) {
        const struct object *o = &obmc_objects[i];
        if (o->storage != STATIC || bases[i] || !is_called(name, o->name))
            continue;
        if (size != o->size && o->which == 0 && strstr(o->name, "::"))
            continue;
        int before = 0;
        for (int j = 0; j < obmc_object_count; j++)
            before += bases[j] && obmc_objects[j].storage == STATIC
                && strcmp(obmc_objects[j].name, o->name) == 0;
        if (before <= o->which) {
            bases[i] = address;
            return;
        }
    }
}

/* Variables of the scheduler may be called like the program's. */
static int is_ours(const char *file)
{
    static const char *const names[] = { "scheduler.c", "memory.c", "hooks.c", "place.c", "script.c", "asan.c" };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(file, names[i]) == 0)
            return 1;
    return 0;
}

void obmc_find_statics(void)
{
    bases = calloc(obmc_object_count + 1, sizeof *bases);
    int file = open("/proc/self/exe", O_RDONLY);
    struct stat info;
    if (file < 0 || fstat(file, &info))
        obmc_gave_up("the program cannot read its own symbols");
    char *image = mmap(0, info.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    if (image == MAP_FAILED)
        obmc_gave_up("the program cannot read its own symbols");
    uintptr_t shift = 0;
    dl_iterate_phdr(load_address, &shift);
    const Header *header = (const Header *)image;
    const Section *sections = (const Section *)(image + header->e_shoff);
    for (int s = 0; s < header->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB)
            continue;
        const Symbol *symbols = (const Symbol *)(image + sections[s].sh_offset);
        const char *names = image + sections[sections[s].sh_link].sh_offset;
        int ours = 0;
        for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; i++) {
            const Symbol *symbol = &symbols[i];
            const char *name = names + symbol->st_name;
            char *address = (char *)(shift + symbol->st_value);
            if ((symbol->st_info & 15) == STT_FILE)
                ours = is_ours(name);
            if (ours && symbol->st_info >> 4 == STB_LOCAL)
                continue;
            if ((symbol->st_info & 15) == STT_OBJECT && symbol->st_shndx != SHN_UNDEF)
                know_object(name, address, symbol->st_size);
            if ((symbol->st_info & 15) == STT_FUNC && symbol->st_shndx != SHN_UNDEF)
                know_function(name, address);
        }
    }
    qsort(functions, function_count, sizeof *functions, by_address);
    for (int i = 0; i < obmc_content_count; i++) {
        const struct content *c = &obmc_contents[i];
        if (obmc_objects[c->object].storage == STATIC && bases[c->object])
            memcpy(bases[c->object] + c->offset, &c->bits, c->size);
    }
}

const char *obmc_function_at(void *address)
{
    for (int i = 0; i < function_count; i++)
        if (functions[i].address == (char *)address)
            return functions[i].name;
    return 0;
}

void obmc_bind(int object, void *base)
{
    if (obmc_objects[object].storage == UNNAMED)
        bases[object] = base;
}

void obmc_bind_named(const char *name, void *base)
{
    for (int i = 0; i < obmc_object_count; i++)
        if (obmc_objects[i].storage == STATIC && strcmp(obmc_objects[i].name, name) == 0)
            bases[i] = base;
}

void *obmc_base_of(int object)
{
    return bases[object];
}

int obmc_find(void *address, long *offset)
{
    char *at = address;
    for (int i = obmc_object_count - 1; i >= 0; i--) {
        long size = obmc_objects[i].size;
        if (bases[i] && bases[i] <= at && at < bases[i] + (size ? size : 1)) {
            *offset = at - bases[i];
            return i;
        }
    }
    return -1;
}

/* The heap. */

struct block {
    char *base;
    unsigned long size;
    int freed;
};
enum { FENCE = 64 };
static struct block *blocks;
static int block_count, block_room;
static int heap_lock;

static void enter(void)
{
    while (__atomic_exchange_n(&heap_lock, 1, __ATOMIC_ACQUIRE))
        ;
}

static void leave(void)
{
    __atomic_store_n(&heap_lock, 0, __ATOMIC_RELEASE);
}

static void fill(int number, char *base)
{
    int thread = obmc_thread_number();
    for (int i = 0; i < obmc_object_count; i++) {
        const struct object *o = &obmc_objects[i];
        if (o->storage != HEAP || o->thread != thread || o->which != number)
            continue;
        bases[i] = base;
        for (int c = 0; c < obmc_content_count; c++)
            if (obmc_contents[c].object == i)
                memcpy(base + obmc_contents[c].offset, &obmc_contents[c].bits,
                       obmc_contents[c].size);
    }
}

/* memalign takes any number: the next power of two will do. */
void *__obmc_aligned_alloc(unsigned long alignment, unsigned long size)
{
    unsigned long step = 16;
    while (step < alignment && step << 1)
        step <<= 1;
    int number = obmc_next_allocation();
    for (int i = 0; i < obmc_failure_count; i++)
        if (obmc_failures[i].thread == obmc_thread_number() && obmc_failures[i].number == number)
            return 0;
    if (size + 2 * FENCE + step < size)
        return 0;
    char *base = calloc(1, size + 2 * FENCE + step);
    if (!base)
        return 0;
    base = (char *)(((uintptr_t)base + FENCE + step - 1) & ~(uintptr_t)(step - 1));
    enter();
    if (block_count == block_room) {
        block_room = block_room ? 2 * block_room : 64;
        blocks = realloc(blocks, block_room * sizeof *blocks);
    }
    blocks[block_count++] = (struct block){ base, size, 0 };
    fill(number, base);
    leave();
    return base;
}

void *__obmc_alloc(unsigned long size, int zeroed)
{
    (void)zeroed;
    return __obmc_aligned_alloc(16, size);
}

static struct block *block_at(char *at)
{
    for (int i = block_count - 1; i >= 0; i--)
        if (blocks[i].base - FENCE <= at && at < blocks[i].base + blocks[i].size + FENCE)
            return &blocks[i];
    return 0;
}

void __obmc_free(void *pointer)
{
    if (!pointer)
        return;
    obmc_touch(pointer, 1, WRITE);
    enter();
    struct block *block = block_at(pointer);
    const char *why = !block ? "free of what was not allocated"
        : block->base != (char *)pointer ? "free of the inside of a block"
        : block->freed ? "a block is freed twice" : 0;
    if (block && !why)
        block->freed = 1;
    leave();
    if (why && (obmc_goal == BAD_FREE || obmc_goal == BAD_ACCESS))
        obmc_violated("%s in thread %d", why, obmc_thread_number());
    if (why && obmc_goal == ASSERTION)
        return;
    if (why)
        obmc_gave_up("%s in thread %d", why, obmc_thread_number());
}

unsigned long __obmc_object_size(void *pointer)
{
    enter();
    struct block *block = block_at(pointer);
    unsigned long size = block ? block->size : 0;
    leave();
    return size;
}

void obmc_check_access(void *frame, void *address, unsigned long size, enum mode mode)
{
    if (obmc_goal != BAD_ACCESS)
        return;
    char *at = address;
    int owner;
    const char *ended = obmc_ended_storage(frame, address, &owner);
    if (ended)
        obmc_violated("thread %d %s %s %d", obmc_thread_number(), mode == READ ? "reads" : "writes", ended,
                      owner);
    enter();
    struct block *block = block_at(at);
    int bad = block && (block->freed || at < block->base || at + size > block->base + block->size);
    int freed = block && block->freed;
    leave();
    if (bad)
        obmc_violated("thread %d %s a heap block %s", obmc_thread_number(),
                      mode == READ ? "reads" : "writes",
                      freed ? "that was freed" : "beyond its end");
}

void obmc_check_leaks(void)
{
    int left = 0;
    for (int i = 0; i < block_count; i++)
        left += !blocks[i].freed;
    if (left)
        obmc_reproduced("%d heap blocks are never freed", left);
    obmc_gave_up("all heap blocks were freed");
}

int obmc_is_stack(void *address)
{
    char here;
    long distance = (char *)address - &here;
    return -(1L << 20) < distance && distance < (1L << 20);
}
