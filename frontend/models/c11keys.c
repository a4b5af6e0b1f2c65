/* C11 thread-specific storage, in terms of the POSIX keys. A file of its own, so that other C11
 * programs do not pay for destructors.
 */
int pthread_key_create(unsigned *key, void (*destroy)(void *));
int pthread_key_delete(unsigned key);
void *pthread_getspecific(unsigned key);
int pthread_setspecific(unsigned key, const void *value);

enum { SUCCESS = 0, ERROR = 2 };

int tss_create(unsigned *key, void (*destroy)(void *))
{
    return pthread_key_create(key, destroy) ? ERROR : SUCCESS;
}

void tss_delete(unsigned key)
{
    pthread_key_delete(key);
}

void *tss_get(unsigned key)
{
    return pthread_getspecific(key);
}

int tss_set(unsigned key, void *value)
{
    return pthread_setspecific(key, value) ? ERROR : SUCCESS;
}
