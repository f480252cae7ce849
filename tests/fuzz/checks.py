"""What the fuzzers of this folder hold of any run, however odd the sources: how it ends, what it costs, what its report
says."""
import json, os, pathlib, re, resource, subprocess, tempfile, xml.etree.ElementTree

MEGABYTES = 2000  # of one run; of one under the sanitizers, and of the seconds too, four times as much


# What a run says of a file that is no Python, where its report has no place for it.
BROKEN = re.compile(r"syncl: .*:\d+:\d+: .* may be left out\n")


class Wrong(Exception):
    """What a run broke."""


class Runs:
    """Starts the program in folders, counts how often and what it took. The watched program is built with sanitizers,
    which cost a hundred times a small run; both must write the same."""

    def __init__(self, program, watched, seconds):
        self.seconds, self.count = seconds, 0
        self.programs = {False: pathlib.Path(program).resolve(), True: pathlib.Path(watched).resolve()}
        self.has_sanitizers = {kind: b"__asan_init" in path.read_bytes() for kind, path in self.programs.items()}
        self.environment = os.environ | {"ASAN_OPTIONS": f"hard_rss_limit_mb={4 * MEGABYTES}:detect_leaks=0"}

    def cpu_seconds(self):
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    def start(self, folder, *words, watched=False):
        """What it wrote and its exit status, which is 0 or 1."""
        self.count += 1
        words = [self.programs[watched], "--isolated", *words]
        said = subprocess.run(words, cwd=folder, capture_output=True, env=self.environment, preexec_fn=lambda: self.limit(self.has_sanitizers[watched]))
        if said.returncode not in (0, 1) or BROKEN.sub("", said.stderr.decode(errors="replace")):
            raise Wrong(f"{' '.join(words[2:])}: exit {said.returncode}: {said.stderr.decode(errors='replace')[:3000]}")
        return said.stdout, said.returncode

    def limit(self, has_sanitizers):
        """Of CPU time and memory. The address sanitizer reserves terabytes; it looks itself at what is used."""
        seconds = self.seconds * (4 if has_sanitizers else 1)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if not has_sanitizers:
            resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))

    def report(self, folder, *words, watched=False):
        return self.start(folder, "--min-confidence=possible", "--output-format=json", *words, ".", watched=watched)

    def evidence(self, folder):
        """Of each place, what its finding rests on: worth.c weighs by it too, and the report does not have all of it."""
        told, _ = self.start(folder, "--no-cache", "--dump=sites", ".")
        sites = (re.match(r"(.*):(\d+):(\d+): .* score \S+(.*)", line) for line in told.decode(errors="replace").splitlines())
        return {(site[1], int(site[2]), int(site[3])): site[4] for site in sites if site}


def same(what, one, other):
    if one != other:
        raise Wrong(f"{what}: not the same")


def place_of(finding):
    return finding["file"], finding["line"], finding["column"]


def robust(low, high):
    """As cost_robust_us: the geometric middle, less where the range is wide. To six digits, as machines round apart."""
    worth = max(low, 0.5) ** 0.75 * max(high, low, 0.5) ** 0.25 if high >= 0.5 else high / 4
    return float(f"{worth:.6g}")


def weighed(finding):
    """What a price is weighed by (worth.h): findings that are alike in it stand by what they add to the others that are mended."""
    often = finding["frequency"]
    return (finding["file"], finding["rule"], finding["confidence"], finding["need"], str(finding["loop"]), often["unit"], str(often["every"]),
            str(often.get("only")), len(finding["also_in"]), finding.get("purpose"), "a wait that stays" in finding["cost"]["text"])


LEAST_TURN = 3000  # us: what adds more may be as much as all of its turn, and of such none goes first


def in_order(above, below):
    """Errors first, then what adds most, then by place.
    One whose frequency is not known stands by an assumed price, which is not shown."""
    if (above["level"] == "error") != (below["level"] == "error"):
        return above["level"] == "error"
    added = [(f["cost"]["marginal"]["low_us"], f["cost"]["marginal"]["high_us"]) for f in (above, below)]
    if any(None in price for price in added):
        return True
    first, second = (robust(*price) for price in added)
    return first > second or first >= LEAST_TURN or (first == second and (added[0] != added[1] or place_of(above) <= place_of(below)))


def check_report(runs, ran, folder):
    """A report as JSON on the files of a folder: in order, every place within its file. Gives the findings."""
    findings = json.loads(ran[0])["findings"]
    if ran[1] and not findings:
        raise Wrong("exit 1 without a finding")
    alike = {}
    for below in findings:
        above = alike.get(weighed(below))
        if above and not in_order(above, below):
            evidence = runs.evidence(folder)
            if evidence.get(place_of(above)) == evidence.get(place_of(below)):
                raise Wrong(f"not in order: {place_of(above)}, {place_of(below)}")
        alike[weighed(below)] = below
    lines = {str(path.relative_to(folder)): line_ends(path.read_bytes()) for path in folder.rglob("*.py")}
    ends = [(f["file"], f["end_line"], f["end_column"]) for f in findings]
    causes = [(why["file"], why["line"], 1) for f in findings for why in f["why"] if why["file"] in lines]
    for path, line, column in [place_of(f) for f in findings] + ends + causes:
        if not (1 <= line <= len(lines[path]) and 1 <= column <= len(lines[path][line - 1]) + 1):
            raise Wrong(f"outside of its file: {path}:{line}:{column}")
    return findings


def line_ends(text):
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")


READERS = {"json": json.loads, "sarif": json.loads, "gitlab": json.loads, "junit": xml.etree.ElementTree.fromstring, "rdjson": json.loads,
           "json-lines": lambda text: [json.loads(line) for line in text.splitlines()], "full": bytes.decode, "concise": bytes.decode, "github": bytes.decode}


def check_formats(runs, folder):
    for name, read in READERS.items():
        said, _ = runs.start(folder, "--no-cache", "--min-confidence=possible", f"--output-format={name}", ".", watched=name != "json")
        try:
            read(said)
        except (ValueError, xml.etree.ElementTree.ParseError) as error:
            raise Wrong(f"--output-format={name} cannot be read: {error}")


def kept(files, top):
    folder = pathlib.Path(tempfile.mkdtemp(dir=top))
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)
    return folder
