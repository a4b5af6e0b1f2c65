/* libwebp: a worker thread is started, given a job, waited for, given another, and ended. */
#include <assert.h>
#include "src/utils/thread_utils.h"

static int sum;

static int add(void *first, void *second)
{
    sum += *(int *)first + *(int *)second;
    return 1;
}

int main(void)
{
    const WebPWorkerInterface *calls = WebPGetWorkerInterface();
    WebPWorker worker;
    int one = 1, two = 2;
    calls->Init(&worker);
    worker.hook = add;
    worker.data1 = &one;
    worker.data2 = &two;
    if (!calls->Reset(&worker))
        return 0;
    calls->Launch(&worker);
    assert(calls->Sync(&worker));
    assert(sum == 3);
    calls->Launch(&worker);
    calls->End(&worker);
    assert(sum == 6);
    return 0;
}
