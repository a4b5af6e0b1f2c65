"""Runs the parts of a suite as the tasks of a HyperQueue job and waits for them.

Asked by `obmc bench --on hyperqueue` with a JSON document on stdin: the words of a part (its number
goes behind the first two), how many parts there are, the folder to work in. The server is the one that HQ_SERVER_DIR
names, or the user's default. A task whose worker is lost is started again by the server.
"""

import json
import os
import sys

try:
    from hyperqueue import Client, Job
except ImportError:
    sys.exit("Python's package `hyperqueue` is not installed")

asked = json.load(sys.stdin)
job = Job(default_workdir=asked["folder"], max_fails=None, name="obmc bench")
for part in range(asked["parts"]):
    words = asked["words"][:2] + ["--part", f"{part}/{asked['parts']}"] + asked["words"][2:]
    job.program(words, stdout=None, stderr=None, name=f"part {part}")
client = Client(os.environ.get("HQ_SERVER_DIR"))
ended_well = client.wait_for_jobs([client.submit(job)], raise_on_error=False)
sys.exit(0 if ended_well else 3)
