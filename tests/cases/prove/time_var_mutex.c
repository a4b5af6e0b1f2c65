#include <pthread.h>
#include <assert.h>
/* A block is busy while somebody owns its inode. */
pthread_mutex_t m_inode, m_busy;
int inode, busy, block;
void *one(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m_inode);
        if (inode == 0) {
            pthread_mutex_lock(&m_busy);
            busy = 1;
            pthread_mutex_unlock(&m_busy);
            inode = 1;
        }
        block = 1;
        assert(block == 1);
        pthread_mutex_unlock(&m_inode);
    }
}
void *two(void *arg)
{
    while (1) {
        pthread_mutex_lock(&m_busy);
        if (busy == 0) {
            block = 0;
            assert(block == 0);
        }
        pthread_mutex_unlock(&m_busy);
    }
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
