"""Verifiers: how each is called on a task, and what its output says.

A peer is given as a path or as NAME=COMMAND. With `{file}` in it the command is taken as it is,
and `{bits}` (32 or 64), `{unwind}`, `{property}` and `{seconds}` are filled in, too. Else the kind
of verifier is read off the program's name, or else off NAME, and its words are added.
"""
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

KINDS = ("obmc", "deagle", "esbmc", "cbmc")
# Of other tools' properties we know two, by their words. A bound is one by request, so that
# executions beyond it do not matter.
WORDS = {
    "deagle": {"unreach-call": ["--allow-pointer-unsoundness"],
               "no-data-race": ["--allow-pointer-unsoundness", "--no-assertions", "--datarace"]},
    "cbmc": {"unreach-call": []},
    "esbmc": {"unreach-call": ["--no-bounds-check", "--no-pointer-check", "--no-div-by-zero-check"],
              "no-data-race": ["--data-races-check-only"]},
}
BOUNDED = {"deagle": [], "cbmc": ["--no-unwinding-assertions"],
           "esbmc": ["--no-unwinding-assertions"]}


class BadPeer(Exception):
    """The peer cannot be used; the text says why, for the user."""


@dataclass(frozen=True)
class Peer:
    name: str
    kind: str  # one of KINDS, or "as is"
    words: tuple[str, ...]

    def command(self, task, seconds):
        """The words to run, None if this verifier does not know the property."""
        bits = "32" if task.data_model == "ILP32" else "64"
        if self.kind == "as is":
            values = {"file": str(task.file), "bits": bits, "property": task.property,
                      "unwind": str(task.unwind or ""), "seconds": str(seconds)}
            return [re.sub(r"\{(\w+)\}", lambda m: values[m.group(1)], w) for w in self.words]
        program, *rest = self.words
        bound = ["--unwind", str(task.unwind)] if task.unwind else []
        if self.kind == "obmc":
            asked = [] if "--property" in rest else ["--property", task.property]
            # Labels are about interleavings; without a model rc11 would be asked besides.
            model = [] if "--mm" in rest else ["--mm", "sc"]
            return [program, "check", str(task.file), *asked, *model, f"--{bits}", "--no-trace",
                    "--timeout", f"{seconds}s", *bound, *rest]
        own = WORDS[self.kind].get(task.property)
        if own is None:
            return None
        bound += BOUNDED[self.kind] if bound else []
        return [program, str(task.file), f"--{bits}", *own, *bound, *rest]


def read(text, obmc):
    """A peer from the command line; the word `obmc` alone is the binary `obmc`."""
    name, equals, command = text.partition("=")
    if not equals or "/" in name or " " in name:
        name, command = Path(text.split()[0]).name if text.split() else "", text
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BadPeer(f"{text}: {error}") from error
    if not words or not name:
        raise BadPeer(f"`{text}`: NAME=COMMAND or a path is wanted")
    words[0] = str(obmc) if words[0] == "obmc" else found(words[0])
    if any("{file}" in w for w in words):
        check_places(words)
        return Peer(name, "as is", tuple(words))
    return Peer(name, kind(words[0], name), tuple(words))


def found(program):
    path = shutil.which(program)
    if path is None:
        raise BadPeer(f"{program} does not exist, or is no program")
    return str(Path(path).resolve()) if "/" in program else path


def check_places(words):
    known = {"file", "bits", "property", "unwind", "seconds"}
    for place in re.findall(r"\{(\w+)\}", " ".join(words)):
        if place not in known:
            raise BadPeer(f"{{{place}}} means nothing; there are {', '.join(sorted(known))}")


def kind(program, name):
    for text in (Path(program).name.lower(), name.lower()):
        for known in KINDS:
            if known in text:
                return known
    raise BadPeer(f"{program}: which verifier is it? Put {', '.join(KINDS)} into its NAME, or say "
                  "with {file} in the command where the program goes")


def verdict(output, property=""):
    """true, false, bounded, unknown or none, from the last line that tells (of this property)."""
    lines = re.findall(r"^obmc verdict: *(.*)$", output, re.M)
    lines += re.findall(rf"^obmc verdict\[{re.escape(property)}\]: *(.*)$", output, re.M)
    if lines:
        word = re.match(r"\w*", lines[-1]).group()
        if word in ("true", "false"):
            return word
        for reason in ("bounded", "time limit", "memory limit"):
            if reason in lines[-1]:
                return {"time limit": "timeout", "memory limit": "memory"}.get(reason, reason)
        return "unknown"
    lines = re.findall(r"VERIFICATION (SUCCESSFUL|FAILED|UNKNOWN)", output)
    if lines:
        return {"SUCCESSFUL": "true", "FAILED": "false", "UNKNOWN": "unknown"}[lines[-1]]
    return "none"
