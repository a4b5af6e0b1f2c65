"""Task lists: which programs, which property, and what the answer should be.

Four formats, told apart by what the path is:

- a folder: every .c and .i file in it and below. A file `X.expected` beside `X.c` has lines
  `PROPERTY [OPTION...]: VERDICT` as in tests/cases. Lines with options other than --32, --64 and
  --unwind are left out; without such a file the answer is not known.
- X.json: a list of objects with `main` or `file`, and optionally `id`, `property`, `expected`
  (true or false), `data_model` (ILP32 or LP64), `unwind` and `model` (others than sc are left out).
  With the property `any` each has its own.
- X.yml: one task definition of SV-COMP. X.set is a text file with one such path or pattern per line.
- any other file: text with one path per line; `#` starts a comment.

Paths in a list are relative to the list.
"""
import json
import re
from dataclasses import dataclass
from pathlib import Path


ANY = "any"  # property


class BadTasks(Exception):
    """The list cannot be read; the text says why, for the user."""


@dataclass(frozen=True)
class Task:
    name: str
    file: Path
    property: str
    expected: bool | None = None  # does the property hold? None: not known
    data_model: str | None = None  # ILP32, LP64, or what the verifier takes by default
    unwind: int | None = None  # the bound for which `expected` is stated


def read(path, property):
    """The tasks of a list that ask for this property, in a fixed order."""
    path = Path(path)
    try:
        tasks = list(rows(path, property))
    except OSError as error:
        raise BadTasks(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise BadTasks(f"{path} is not text") from error
    for task in tasks:
        if not task.file.is_file():
            raise BadTasks(f"{path}: there is no file {task.file}")
    return tasks


def rows(path, property):
    if path.is_dir():
        return folder(path, property)
    if path.suffix == ".json":
        return listed(path, property)
    if path.suffix == ".yml":
        return definition(path, property)
    if path.suffix in (".c", ".i"):
        return program(path, path.parent, property)
    return lines(path, property)


def folder(path, property):
    for file in sorted(p for p in path.rglob("*") if p.suffix in (".c", ".i")):
        yield from program(file, path, property)


def program(file, root, property):
    name = str(file.relative_to(root))
    expected = file.with_suffix(".expected")
    if not expected.is_file():
        yield Task(name, file, property)
        return
    for line in expected.read_text().splitlines():
        words, _, verdict = line.partition(":")
        words, verdict = words.split(), verdict.split("#")[0].strip()
        if words[:1] == [property] and (known := options(words[1:])) is not None:
            label = " ".join([name, *words[1:]])
            yield Task(label, file, property, meant(verdict), **known)


def options(words):
    """The options of an expectation as fields of a task, None if there are others."""
    known = {}
    words = iter(words)
    for word in words:
        if word in ("--32", "--64"):
            known["data_model"] = {"--32": "ILP32", "--64": "LP64"}[word]
        elif word == "--unwind":
            known["unwind"] = int(next(words, "1"))
        else:
            return None
    return known


def meant(verdict):
    """`true`, `false(valid-free)`, `bounded`, `true or unknown`, `unknown`."""
    first = re.match(r"[a-z]*", verdict).group()
    return {"true": True, "bounded": True, "false": False}.get(first)


def listed(path, property):
    try:
        entries = json.loads(path.read_text())
    except ValueError as error:
        raise BadTasks(f"{path} is not JSON: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise BadTasks(f"{path}: a list of objects is wanted")
    for number, entry in enumerate(entries, 1):
        file = entry.get("main") or entry.get("file")
        if not isinstance(file, str):
            raise BadTasks(f"{path}: task {number} has neither `main` nor `file`")
        own = entry.get("property", property)
        if property not in (own, ANY) or entry.get("model", "sc") != "sc":
            continue
        yield Task(str(entry.get("id") or file), path.parent / file, own,
                   entry.get("expected"), entry.get("data_model"), entry.get("unwind"))


def lines(path, property):
    for line in path.read_text().splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        if line.endswith(".yml"):
            for file in sorted(path.parent.glob(line)) if "*" in line else [path.parent / line]:
                yield from definition(file, property)
        else:
            yield Task(line, path.parent / line, property)


def definition(path, property):
    """The few keys of an SV-COMP task definition that matter here; no YAML reader is at hand."""
    files, properties, data_model, section = [], [], None, None
    for line in path.read_text().splitlines():
        line = line.split(" #")[0].rstrip()
        key, _, value = (part.strip() for part in line.strip().lstrip("- ").partition(":"))
        if line and not line[0].isspace() and not line.startswith("-"):
            section = key
        if section == "input_files":
            text = value if key == "input_files" else key
            files += [f.strip(" '\"") for f in text.strip("[]").split(",") if f.strip(" '\"")]
        elif key == "property_file":
            properties.append([Path(value.strip("'\"")).stem, None])
        elif key == "expected_verdict" and properties:
            properties[-1][1] = {"true": True, "false": False}.get(value.lower())
        elif key == "data_model":
            data_model = value.strip("'\"")
    if len(files) != 1:
        raise BadTasks(f"{path}: one input file is wanted, there are {len(files)}")
    for name, expected in properties:
        if name == property:
            yield Task(path.stem, path.parent / files[0], property, expected, data_model)
