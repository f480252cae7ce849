#!/usr/bin/env python3
"""Coverage-guided fuzzing: runs build/fuzz/coverage on each target in turn, or on those named, with what the repository
has of such files as seeds. Every input that breaks something is kept in build/fuzz/found/TARGET. At the end a line a
target: executions, CPU-hours, inputs kept, as tests/fuzz/LEDGER.tsv has them. `--keep` then writes the inputs that cover
most, few and small, to tests/fuzz/corpus; `--seeds=FOLDER` only writes the seeds."""
import argparse, gzip, json, os, pathlib, re, resource, shutil, subprocess, sys, time

import generate

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/fuzz"
TARGETS = ["python", "notebook", "comments", "config", "ignore", "arguments", "profile", "baseline", "observed", "page", "stub", "git", "trace", "cache", "project", "recording"]
MOST = {"python": 6000, "notebook": 8000, "trace": 32000, "recording": 24000, "profile": 9000, "page": 12000, "stub": 6000, "cache": 14000, "project": 8000}  # bytes of an input; else 4000
KEPT = {"python": 60_000, "trace": 30_000, "cache": 40_000}  # bytes of corpus; else 18,000
LIMITS = ["-timeout=25", "-rss_limit_mb=3000", "-malloc_limit_mb=1500"]

LOG = """epoch 1
/w/train.py:13: UserWarning: called a synchronizing CUDA operation (Triggered internally at /pytorch/c10/cuda/CUDAFunctions.cpp:323.)
  total += loss.item()
train.py:15: called a synchronizing CUDA operation
SF:train.py
DA:1,1
DA:13,1
DA:15,0
end_of_record
"""
CONFIG = """[tool.syncl]
extend = "../pyproject.toml"
cost-model = 7
step-time = "55ms"
gpu-busy = "60%"
ops-per-step = 400
report-unused = true
fail-on = "note"
min-confidence = "certain"
fail-over = "1ms"
output-format = "concise"
torch-version = "2.4"
select = ["SYN1", "host-read"]
per-file-ignores = { "tests/*" = ["ALL"], "!src/**" = ["SYN104"] }
exclude = ["vendor"]
extend-exclude = ["*_generated.py"]
respect-gitignore = false
"""
COMMENTS = [
    "\n\nsyncl: allow[host-read] read once\nnoqa: SYN101\nsyncl: hot\nsyncl: device=cuda\nsyncl: shape=(8, 3), (8,)\n\nsyncl: allow\n\nsyncl: skip-file\nreason",
    "\nsyncl: sync-free\nsyncl: sync-free\nsyncl: device=cpu\nsyncl: cold\n\n\nnoqa: SYN102, E501\nsyncl: allow[SYN1,print-tensor] a\n",
]
IGNORE = ["*.py[co]\nbuild/\n!src/**/keep.py\n/a/**/b\n# x\n\\#y\n**/f.py\n[!a-c]?.py\n", "src/*\n!src/model\n"]
ARGUMENTS = ["--fail-on=note\n--select\nSYN1,host-read\n-q\n--config\nstep-time='55ms'\n--step-time=55ms\n--gpu-busy=60%\n--\n-x.py\n",
             "--output-format=json\r\n--also=json:x\r\n--min-cost=20us\r\n--torch-version=2.4\r\n--config=exclude=['a']\r\n"]
OBJECT = "0123456789012345678901234567890123456789"


def notebook(sources):
    cells = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": s.splitlines(True)} for s in sources]
    cells.insert(0, {"cell_type": "markdown", "metadata": {}, "source": "# x"})
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"language": "python", "name": "x"}}, "cells": cells})


def trace(marked, with_stacks):
    """Five steps of a loop: operators, launches on two streams, a read, a copy, an event, memory, a synchronisation."""
    events, ids = [], iter(range(10, 1000))

    def event(kind, name, at, took, tid=1, **args):
        events.append({"ph": "X", "cat": kind, "name": name, "pid": 9 if tid < 7 else 0, "tid": tid, "ts": at, "dur": took, "args": args})

    def call(name, at, took, work=None, start=0, length=0, stream=7, **args):
        link = next(ids)
        event("cuda_runtime", name, at, took, correlation=link)
        if work:
            event(work[0], work[1], start, length, tid=stream, correlation=link, stream=stream, device=0, **args)

    for step in range(5):
        at = 1000.5 + 900 * step
        if marked:
            event("user_annotation", f"ProfilerStep#{step}", at, 890)
        if with_stacks:
            event("python_function", "train.py(7): <module>", at, 890, **{"Python parent id": None, "Python id": 1})
            event("python_function", "torch/nn/modules/linear.py(124): forward", at + 10, 90, **{"Python parent id": 1, "Python id": 2})
            event("cpu_op", "aten::item", at + 400, 300, **{"External id": step + 1})
            event("cpu_op", "aten::_local_scalar_dense", at + 405, 290, **{"External id": step + 50})
        call("cudaLaunchKernel", at + 20, 6, ("kernel", "gemm"), at + 30, 300)
        if with_stacks:
            call("cudaEventRecordWithFlags", at + 40, 2)
            call("cudaStreamWaitEvent", at + 50, 2)
        call("cuLaunchKernel", at + 60, 5, ("kernel", "relu"), at + 335, 100, stream=8 if with_stacks else 7)
        call("cudaMemsetAsync", at + 70, 5, ("gpu_memset", "Memset (Device)"), at + 436, 2, bytes=16)
        call("cudaMemcpyAsync", at + 410, 30, ("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)"), at + 440, 2, bytes=4)
        call("cudaStreamSynchronize", at + 445, 250)
        call("cudaMalloc", at + 700, 9)
        call("cudaMemcpyAsync", at + 720, 20, ("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)"), at + 735, 5, bytes=4096)
        call("cudaEventSynchronize", at + 745, 10)
        call("cudaFree", at + 760, 40)
        call("cudaDeviceSynchronize", at + 810, 20)
    return json.dumps({"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "x"}], "traceEvents": events})


def pieces(stub):
    """Every third run of 40 lines, under the module that it belongs to."""
    lines = stub.splitlines(True)
    for start in range(0, len(lines), 120):
        module = [line for line in lines[:start] if line.startswith("# module")][-1:]
        yield "".join(module + lines[start : start + 40])


def seeds(target):
    """Texts or bytes."""
    sources = [p.read_text() for p in sorted((ROOT / "tests/cases").rglob("*.py")) if p.stat().st_size <= MOST["python"]]
    if target == "python":
        return sources + [text for project in generated() for text in project if len(text) <= MOST["python"]]
    if target == "project":
        return ["\n#---\n".join(project[:4]) for project in generated()]
    if target == "notebook":
        return [notebook([s, "%time x.item()\n!ls\nprint(x)"]) for s in sources[::12]]
    if target == "comments":
        return COMMENTS
    if target == "config":
        suite = sorted((ROOT / "build/pins/toml-test/valid").rglob("*.toml"))[::4] + sorted((ROOT / "build/pins/toml-test/invalid").rglob("*.toml"))[::9]
        return [CONFIG, CONFIG.replace("[tool.syncl]\n", "")] + [p.read_bytes() for p in suite if p.stat().st_size < 2000]
    if target == "ignore":
        return IGNORE
    if target == "arguments":
        return ARGUMENTS
    if target == "profile":
        profile = json.loads((ROOT / "calib/profiles/h200.json").read_text())
        return [json.dumps(profile), json.dumps(profile | {"quantities": {k: v | {"samples": 0} for k, v in profile["quantities"].items()}})]
    if target == "baseline":
        return [baseline()]
    if target == "observed":
        return [LOG]
    if target == "page":
        return [p.read_bytes() for p in sorted((ROOT / "rules").glob("*.md")) if p.stat().st_size < MOST["page"]]
    if target == "stub":
        return [piece for p in sorted((ROOT / "rules/api").glob("*.pyi")) for piece in pieces(p.read_text())]
    if target == "git":
        return [f"{OBJECT}\n\x1e100644 blob {OBJECT}\ta/b.py\0120000 blob {OBJECT}\tl.py\0100644 blob {OBJECT}\tc.py\0\x1e{OBJECT} blob 3\nabc\n{OBJECT} blob 0\n\n",
                f"{OBJECT}\n\x1e100644 blob {OBJECT}\ta.py\0\x1e{OBJECT} missing\n"]
    if target == "cache":
        return blocks()
    if target == "recording":
        sys.path.insert(0, str(ROOT / "tests/record"))
        from forge import forge
        return [forge("train.py"), gzip.compress(forge("fuzz.py"), mtime=0)]
    traces = [trace(True, True), trace(False, False), trace(True, False)]
    return traces + [gzip.compress(traces[1].encode(), mtime=0), json.dumps(json.loads(traces[0])["traceEvents"][:20])]


def generated():
    return [list(generate.project("seeds", number).values()) for number in range(60)]


def blocks():
    """A result of the target's sample, and models: of the sample and of fixtures that are filled up to its length. Without
    the header, which the target writes itself."""
    folder = ROOT / "build/fuzz/sample"
    folder.mkdir(parents=True, exist_ok=True)
    whole = (sample() * 4).encode()
    fixtures = [p.read_bytes() for p in sorted((ROOT / "tests/cases").rglob("*.py"))]
    sources = [whole] + [f + b"#" * (len(whole) - len(f)) for f in fixtures if len(whole) // 2 < len(f) <= len(whole)][::6]
    return [block for i, source in enumerate(sources) for block in blocks_of(folder, source, "01" if i == 0 else "1")]


def blocks_of(folder, source, marks):
    (folder / "four.py").write_bytes(source)
    shutil.rmtree(folder / "cache", ignore_errors=True)
    subprocess.run([ROOT / "build/syncl", "--isolated", "--cache-dir=cache", "four.py"], cwd=folder, stdout=subprocess.DEVNULL)
    for mark in marks:
        yield mark.encode() + next((folder / "cache" / ("results", "models")[int(mark)]).iterdir()).read_bytes()[72:]


def sample():
    text = (HERE / "fuzz.h").read_text().split("fuzz_sample[] =")[1].split(";")[0]
    return "".join(json.loads(line) for line in re.findall(r'"(?:[^"\\]|\\.)*"', text))


def baseline():
    """Of the sample that the target reads it against."""
    folder = ROOT / "build/fuzz/sample"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "train.py").write_text(sample())
    subprocess.run([ROOT / "build/syncl", "--isolated", "--write-baseline=base.json", "train.py"], cwd=folder, stdout=subprocess.DEVNULL)
    return (folder / "base.json").read_text().replace("build/fuzz/sample/", "")


def write_seeds(target, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for i, seed in enumerate(seeds(target)):
        (folder / f"seed{i:03}").write_bytes(seed if isinstance(seed, bytes) else seed.encode())


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


class Fuzzer:
    def __init__(self, target, program, is_seeded):
        self.target, self.program, base = target, program, ROOT / "build/fuzz"
        self.corpus, self.found, self.seeds = base / "corpus" / target, base / "found" / target, base / "seeds" / target
        for folder in (self.corpus, self.found):
            folder.mkdir(parents=True, exist_ok=True)
        if not is_seeded:
            write_seeds(target, self.seeds)

    def start(self, *words):
        words = [self.program, *LIMITS, f"-max_len={MOST.get(self.target, 4000)}", f"-artifact_prefix={self.found}/", *words]
        said = subprocess.run(words, env=os.environ | {"FUZZ_TARGET": self.target}, capture_output=True, errors="replace")
        return said.returncode, said.stderr

    def fuzz(self, seconds):
        """Goes on after what breaks, until the time is over; gives the executions and the CPU-hours."""
        executions, end, began = 0, time.monotonic() + seconds, used()
        folders = [self.corpus, self.seeds] + [f for f in [HERE / "corpus" / self.target] if f.is_dir()]
        while (left := int(end - time.monotonic())) > 0:
            status, said = self.start(f"-max_total_time={left}", "-print_final_stats=1", *folders)
            done = sum(map(int, re.findall(r"number_of_executed_units: (\d+)", said)))
            executions += done
            if status == 0:
                break
            if not done:
                sys.exit(f"{self.target} does not start: {said[-2000:]}")
            print(*re.findall(r"^(?:SUMMARY|broken|==.*ERROR).*", said, re.M)[:2], sep="\n")
        return executions, (used() - began) / 3600

    def keep(self):
        """Of the inputs that cover something those which cover most, until the room is full."""
        merged, control = ROOT / "build/fuzz/merged" / self.target, ROOT / "build/fuzz/control"
        shutil.rmtree(merged, ignore_errors=True)
        merged.mkdir(parents=True)
        control.unlink(missing_ok=True)
        kept = HERE / "corpus" / self.target
        self.start("-merge=1", f"-merge_control_file={control}", merged, *[f for f in (self.corpus, self.seeds, kept) if f.is_dir()])
        lines = control.read_text().splitlines()
        files = lines[2 : 2 + int(lines[0])]
        covers = {int(w[1]): set(w[2:]) for w in map(str.split, lines) if w[:1] == ["FT"]}
        chosen, room, covered = [], KEPT.get(self.target, 18_000), set()
        while covers and len(chosen) < 60:
            best = max(covers, key=lambda i: len(covers[i] - covered) / (40 + os.path.getsize(files[i])))
            new = covers.pop(best) - covered
            if not new:
                break
            if os.path.getsize(files[best]) <= room:
                chosen.append(pathlib.Path(files[best]).read_bytes())
                covered |= new
                room -= len(chosen[-1])
        shutil.rmtree(kept, ignore_errors=True)
        kept.mkdir(parents=True)
        for i, data in enumerate(chosen):
            (kept / f"{i:03}").write_bytes(data)
        print(f"{self.target}: {len(chosen)} inputs kept of {len(files)}, {len(covered)} features")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--program", default=ROOT / "build/fuzz/coverage")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--seeds", type=pathlib.Path)
    parser.add_argument("--seeded", action="store_true", help="the seeds of before are there")
    parser.add_argument("targets", nargs="*", default=TARGETS)
    wanted = parser.parse_args()
    broken = 0
    for target in wanted.targets:
        if wanted.seeds:
            write_seeds(target, wanted.seeds / target)
            continue
        fuzzer = Fuzzer(target, wanted.program, wanted.seeded)
        before = len(list(fuzzer.found.iterdir()))
        executions, hours = fuzzer.fuzz(wanted.seconds)
        found = len(list(fuzzer.found.iterdir())) - before
        broken += found
        print(f"{target}\t{executions}\t{hours:.3f}\t{found}", flush=True)
        if wanted.keep:
            fuzzer.keep()
    sys.exit(1 if broken else 0)


main()
