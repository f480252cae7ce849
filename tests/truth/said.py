"""What syncl says of statements that run after rules/prelude.py: findings, reads and bytes, line by line."""
import collections
import json
import os
import re
import subprocess
import tempfile

import pages

LOOP = "\nfor step in range(steps):\n    model(x)\n"
SYNCL = os.path.join(pages.ROOT, os.environ.get("BUILD", "build"), "syncl")


class Said:
    """Of one line. reads is None where a loop's turns or a wait's number are not known; bytes are (low, high)."""

    def __init__(self):
        self.rules, self.reads, self.backward, self.to_host, self.to_device = [], 0, 0, (0, 0), (0, 0)

    def add_reads(self, count, turns):
        known = self.reads is not None and count is not None and turns is not None
        self.reads = self.reads + count * turns if known else None

    def add_bytes(self, device, low, high, turns):
        name, most = ("to_device" if device else "to_host"), high * (turns or 1e6)
        self.__dict__[name] = tuple(a + b for a, b in zip(self.__dict__[name], (low, most)))


def number(text):
    return None if text == "?" else float(text)


def read_events(text, lines):
    """Adds what `--dump=events` tells to lines[path][line]."""
    turns = [1]
    for event in text.split("\n"):
        place = re.search(r"  (\S+):(\d+)$", event)
        words = event.split()
        if words[:2] == ["inner", "loop,"]:
            count = number(words[3])
            turns.append(None if count is None or turns[-1] is None else count * turns[-1])
        elif words[:2] == ["end", "of"] and len(turns) > 1:
            turns.pop()
        elif words[:1] == ["loop"]:
            turns = [1]
        elif place and words[:1] == ["wait"]:
            lines[place[1]][int(place[2])].add_reads(number(words[1].rstrip(",")), turns[-1])
        elif place and words[:2] == ["copy", "to"]:
            low, high = (0, 1e12) if words[3] == "?" else (float(words[3]), float(words[5]))
            lines[place[1]][int(place[2])].add_bytes(words[2] == "GPU", low, high, turns[-1])


def dump(what, files):
    return subprocess.run([SYNCL, f"--dump={what}", *files], capture_output=True, text=True).stdout


def run(sources):
    """sources: name -> (set-up lines, lines), both run in the loop. Returns name -> one Said a line, after the set-up.
    What sets a default for the whole program is run alone."""
    alone = [name for name, lines in sources.items() if "set_default" in str(lines)]
    result = run_together({name: lines for name, lines in sources.items() if name not in alone})
    for name in alone:
        result.update(run_together({name: sources[name]}))
    return result


def run_together(sources):
    prelude = pages.read("rules/prelude.py")
    lines, result = collections.defaultdict(lambda: collections.defaultdict(Said)), {}
    with tempfile.TemporaryDirectory() as folder:
        paths, first = {}, {}
        for number_, (name, (set_up, body)) in enumerate(sources.items()):
            head = prelude + LOOP + "".join(f"    {line}\n" for line in set_up)
            paths[name] = os.path.join(folder, f"s{number_:05}.py")
            first[name] = head.count("\n") + 1
            with open(paths[name], "w") as file:
                file.write(head + "".join(f"    {line}\n" for line in body))
        files = sorted(paths.values())
        said = subprocess.run([SYNCL, "--output-format=json", *files], capture_output=True, text=True)
        for finding in json.loads(said.stdout)["findings"]:
            if finding["kind"] == "wait" or finding["waits"]:  # the others say what is wrong without a wait
                lines[finding["file"]][finding["line"]].rules.append(finding["rule"])
        read_events(dump("events", files), lines)
        for path, line, waits in re.findall(r"^(\S+?):(\d+):\d+: .* in backward (\d+),", dump("sites", files), re.M):
            lines[path][int(line)].backward += int(waits)
        for name, (set_up, body) in sources.items():
            result[name] = [lines[paths[name]][first[name] + i] for i in range(-len(set_up), len(body))]
    return result
