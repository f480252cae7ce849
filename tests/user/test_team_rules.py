#!/usr/bin/env python3
"""A team's own rule pages (--extend-rules, extend-rules of the configuration) and facts by PyTorch version."""
import sys
from bench import *

PAGE = """# our-metric (PERF001)

`{expr}` sums a metric over all ranks.

## Why it waits

It reads the sum.

## Instead

Call it once an epoch.

## Facts

```python ourlib.metrics
@waits(1)
def reduced(value: cuda) -> number: ...
```

## Reported

```python
v = ourlib.metrics.reduced(s)  # sync: our-metric
```

## Quiet

```python
v = s * 2
```
"""
SCRIPT = """import ourlib.metrics
import torch
net = torch.nn.Linear(8, 8).cuda()
x = torch.randn(8, 8, device="cuda")
for i in range(100):
    ourlib.metrics.reduced(net(x).sum())
"""


PART = """# library-wait: ours

## Instead

Sum it on the GPU.

## Facts

```python ourlib.metrics
@waits(2)
def reduced(value: cuda) -> number: ...
@waits(1)
@instead('Leave it out.')
def checked(value: cuda) -> number: ...
```

## Reported

```python
v = ourlib.metrics.reduced(s)  # sync: library-wait
```

## Quiet

```python
v = s * 2
```
"""


def rules_of(*args):
    return [finding["rule"] for finding in json.loads(syncl("--output-format=json", *args).out)["findings"]]


def test_own_pages_are_rules_like_others():
    write("perf/our-metric.md", PAGE)
    write("train.py", SCRIPT)
    same(rules_of("train.py"), [])
    for named in ("perf/our-metric.md", "perf/*.md", "perf"):
        same(rules_of(f"--extend-rules={named}", "train.py"), ["our-metric"], named)
    same(rules_of("--extend-rules=perf", "--select=PERF", "train.py"), ["our-metric"])
    same(rules_of("--extend-rules=perf", "--ignore=PERF001", "train.py"), [])
    holds(syncl("--extend-rules=perf", "--explain=PERF001", status=0).out, "sums a metric over all ranks")
    page = syncl("--extend-rules=perf", "--explain=PERF001", status=0).out
    holds(page, "## Reported: each line that ends in `# sync:` is a finding")
    holds(page, "## Quiet: no line here is a finding of this rule")
    holds(syncl("--extend-rules=perf", "--rules", status=0).out, "our-metric")


def test_configuration_names_pages_and_version():
    write("project/perf/our-metric.md", PAGE)
    write("project/train.py", SCRIPT)
    write("project/syncl.toml", 'extend-rules = ["perf/*.md"]\ntorch-version = "2.4"\nselect = ["PERF"]\n')
    same(rules_of("project/train.py"), ["our-metric"])


def test_a_part_adds_facts_and_advice_to_a_rule():
    write("more/library-wait.ours.md", PART)
    write("part.py", SCRIPT + "    ourlib.metrics.checked(net(x))\n")
    found = json.loads(syncl("--extend-rules=more", "--output-format=json", "part.py").out)["findings"]
    same(sorted((f["rule"], f["waits"], f["suggestion"]) for f in found),
         [("library-wait", 1, "Leave it out."), ("library-wait", 2, "Sum it on the GPU.")])
    holds(syncl("--extend-rules=more", "--explain=library-wait", status=0).out, "# library-wait: ours")


def test_own_conventions_are_added():
    write("perf/names.pyi", '# conventions\nhost_parameter: "staged_*"\n')
    write("names.py", "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, staged_x):\n"
                      "        return staged_x.sum().item()\n")
    same(rules_of("names.py"), ["host-read"])
    same(rules_of("--extend-rules=perf/names.pyi", "names.py"), [])
    write("perf/names.pyi", '# conventions\nstaged: "staged_*"\n')
    holds(syncl("--extend-rules=perf/names.pyi", "names.py", status=2).err, ":2: 'staged' is no word of conventions.def")


def test_own_pages_are_checked_as_the_built_in_ones_are():
    write("train.py", SCRIPT)
    broken = {
        "wrong-word.md": (PAGE.replace("our-metric", "wrong-word").replace("value: cuda", "value: cudaa"), ":17: unknown condition 'cudaa'"),
        "wrong-title.md": (PAGE, ":1: the title must be '# wrong-title (CODE)'"),
        "no-quiet.md": (PAGE.replace("our-metric", "no-quiet").replace("## Quiet", "## Silent"), ":1: section '## Quiet' is missing"),
        "host-read.md": (PAGE.replace("our-metric", "host-read"), ":1: name or code stands on another page already: host-read"),
        "our-metric.more.md": (PART.replace("library-wait: ours", "our-metric: more"), ":1: no page of a rule 'our-metric'"),
        "library-wait.ours.md": (PART.replace("library-wait: ours", "library-wait: mine"), ":1: a part's title is '# RULE: PART'"),
        "stale.md": (PAGE.replace("our-metric (PERF001)", "stale (PERF001)\n\nFinds: stale_read"), "'stale_read' has a page already"),
    }
    for name, (text, mistake) in broken.items():
        write(f"wrong/{name}", text)
        done = syncl(f"--extend-rules=wrong/{name}", "train.py", status=2)
        holds(done.err, mistake)
        same((done.out, done.err.count("\n")), ("", 1), name)
    holds(syncl("--extend-rules=nowhere/*.md", "train.py", status=2).err, "nowhere/*.md: no such page")
    write("empty/notes.txt", "")
    holds(syncl("--extend-rules=empty", "train.py", status=2).err, "no page (.md or .pyi) there")


def test_facts_by_version():
    write("switch.py", 'import os\nimport torch\nos.environ["TORCH_NCCL_BLOCKING_WAIT"] = "1"\n')
    same(rules_of("switch.py"), ["nccl-blocking-wait"])
    same(rules_of("--torch-version=2.2.1+cu121", "switch.py"), ["nccl-blocking-wait"])
    same(rules_of("--torch-version=2.1", "switch.py"), [])
    same(rules_of("--torch-version=1.13.1", "switch.py"), [])
    for wrong in ("two", "2", "2.x", "v2.1", ""):
        same(syncl(f"--torch-version={wrong}", "switch.py").status, 2, wrong)


main(sys.modules[__name__])
