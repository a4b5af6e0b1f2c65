"""Runs one command under limits and tells what it used. Called by run.py, one process per run.

    launch.py SECONDS CPU BYTES REPORT COMMAND...

A process of its own, since the kernel counts the memory of whoever forks as memory of the child:
started from here the floor is that of a bare Python (about 9 MB), not that of the script. CPU time
is user and system time of the command and all processes that it has waited for. SECONDS are on the
clock; CPU is a limit of CPU time for each process, 0 for none.

REPORT is a file descriptor: one line `status cpu wall peak-kilobytes timed-out` goes there. Status
is an exit code, or minus a signal.
"""
import os
import resource
import signal
import sys
import time

NOT_STARTED = 127


def start(command, cpu, memory):
    """The child: a session of its own, so that it can be killed with all that it starts."""
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if cpu:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        os.execvp(command[0], command)
    except BaseException as error:  # whatever it is, the child must not go on as a second parent
        os.write(2, f"cannot run {command[0]}: {error}\n".encode())
        os._exit(NOT_STARTED)


def main():
    seconds, (limit, memory, report) = float(sys.argv[1]), map(int, sys.argv[2:5])
    os.set_inheritable(report, False)
    begin = time.perf_counter()
    child = os.fork()
    if child == 0:
        start(sys.argv[5:], limit, memory)
    timed_out = []

    def kill(number, _):
        timed_out.append(number == signal.SIGALRM)
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            os.kill(child, signal.SIGKILL)  # not yet in its session

    signal.signal(signal.SIGALRM, kill)
    signal.signal(signal.SIGTERM, kill)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - begin
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        os.killpg(child, signal.SIGKILL)  # what it left behind
    except ProcessLookupError:
        pass
    code = os.waitstatus_to_exitcode(status)
    timed_out.append(code == -signal.SIGXCPU)
    cpu = used.ru_utime + used.ru_stime
    os.write(report, f"{code} {cpu} {wall} {used.ru_maxrss} {int(any(timed_out))}".encode())


main()
