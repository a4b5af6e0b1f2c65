"""Runs one command under limits and tells what it used. Called by run.py, one process per run.

    launch.py SECONDS CPU BYTES REPORT COMMAND...

A process of its own, since the kernel counts the memory of the process that forks as memory of the child:
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
    """The child, in a session of its own, so that it can be killed with all that it starts.

    Spawned, not forked: a fork would copy this process first, on the child's CPU time. So the limits
    are set here and inherited.
    """
    if cpu:
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    return os.posix_spawnp(command[0], command, os.environ, setsid=True)


def end(session):
    try:
        os.killpg(session, signal.SIGKILL)
    except ProcessLookupError:
        pass  # no child is left


def main():
    seconds, (limit, memory, report) = float(sys.argv[1]), map(int, sys.argv[2:5])
    os.set_inheritable(report, False)
    begin = time.perf_counter()
    try:
        child = start(sys.argv[5:], limit, memory)
    except OSError as error:
        print(f"cannot run {sys.argv[5]}: {error}", file=sys.stderr)
        os.write(report, f"{NOT_STARTED} 0 0 0 0".encode())
        return
    timed_out = []

    def kill(number, _):
        timed_out.append(number == signal.SIGALRM)
        end(child)

    signal.signal(signal.SIGALRM, kill)
    signal.signal(signal.SIGTERM, kill)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - begin
    signal.setitimer(signal.ITIMER_REAL, 0)
    end(child)  # what it left behind
    code = os.waitstatus_to_exitcode(status)
    timed_out.append(code == -signal.SIGXCPU)
    cpu = used.ru_utime + used.ru_stime
    os.write(report, f"{code} {cpu} {wall} {used.ru_maxrss} {int(any(timed_out))}".encode())


main()
