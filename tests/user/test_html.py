#!/usr/bin/env python3
"""The page of --output-format=html: whole in itself, inert whatever the sources say; in headless Chromium, where one is
installed, its layout at three widths, its filters and its keys."""
import html.parser
import shutil
import sys
from bench import *

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SCRIPT = TRAIN + "    shown = loss.cpu()\n    if step % 100 == 0:\n        print(loss.item())\n"


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.text = [], [], ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag not in ("meta", "input", "link", "img", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        same(self.open.pop(), tag)

    def handle_data(self, data):
        self.text += data


def page(text=SCRIPT, name="train.py", *args):
    write(name, text)
    syncl("--isolated", "--exit-zero", "--output-format=html", "-o", "waits.html", *args, name, status=0)
    return pathlib.Path("waits.html").read_text(encoding="utf-8")


def in_chromium(text, script, width=1000):
    """What the script, run in the page, writes into the attribute data-said; and what the console said."""
    write("run.html", text.replace("</body>", f"<script>addEventListener('load', () => {{ {script} }});</script></body>"))
    profile = pathlib.Path("chromium-profile").resolve()
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={profile}", "--virtual-time-budget=3000",
               f"--window-size={width},900", "--dump-dom", f"file://{os.getcwd()}/run.html"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, env=os.environ | {"HOME": os.getcwd()})
    said = re.search(r'data-said="([^"]*)"', done.stdout)
    return said and html.unescape(said[1]), [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def test_it_is_whole_in_itself():
    """No address, nothing that a browser would fetch; every tag is closed; the plan and all findings stand in it."""
    text = page()
    read = Page(text)
    same(read.open, [])
    lacks(text, "://")
    same([tag for tag, has in read.tags if "src" in has or (tag == "link") or has.get("href", "#")[0] != "#"], [])
    same(sum(tag == "details" for tag, _ in read.tags), 3)
    ids = {has["id"] for _, has in read.tags if "id" in has}
    same([has["href"] for _, has in read.tags if has.get("href", "#findings")[1:] not in ids], [])
    holds(read.text, "What to do first")


def test_each_loop_of_the_plan_is_drawn_before_and_after():
    text = page()
    same((text.count('<div class="lane">'), "today: " in text, "after the plan: " in text), (4, True, True))
    same(text.count('class="wait"') > 1, True)


def test_a_trace_is_what_the_step_is_drawn_from():
    """The recorded step has its own length, and both lanes are busy before and after."""
    trace, script = ROOT / "tests/traces/mask-reads-and-print.json.gz", ROOT / "tests/truth/loops/mlp_wide.py"
    syncl("--isolated", "--exit-zero", "--output-format=html", "-o", "waits.html", "--trace", trace, script, status=0)
    text = pathlib.Path("waits.html").read_text(encoding="utf-8")
    holds(text, "today: 13.1 ms")
    lanes = text.split('<div class="lane">')[1:]
    same([("work" in lane or "gpu" in lane) for lane in (lane.split("</svg>")[0].split('class="turn"')[1] for lane in lanes)], [True] * 4)


def test_hostile_words_stay_words():
    nasty = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"' onmouseover='alert(3)"
    name = "a\"><img src=x onerror=alert(4)>.py"
    read = Page(page(f"import torch\nx = torch.ones(3, device='cuda')\nd = {{}}\nfor i in range(9):\n    d[{nasty!r}] = x.sum().item()  # </pre><script>alert(5)</script> \x1b[31m \u202e\n", name))
    same(read.open, [])
    same([tag for tag, has in read.tags if tag == "img" or any(key.startswith("on") for key in has)], [])
    same(sum(tag == "script" for tag, _ in read.tags), 1)
    lacks(read.text, "\x1b")
    lacks(read.text, "\u202e")


def test_without_findings_it_says_so():
    text = page("import torch\nx = torch.ones(3)\n")
    holds(text, "No waits found")
    same(Page(text).open, [])


def test_in_chromium_it_fits_and_is_silent():
    for width in (400, 800, 1400):
        said, console = in_chromium(page(), "document.body.dataset.said = document.documentElement.scrollWidth <= innerWidth && innerWidth > 300;", width)
        same((said, console), ("true", []), width)


def test_in_chromium_filters_work():
    script = """
        const form = document.querySelector('.filters'), shown = () => Array.from(document.querySelectorAll('details')).filter((one) => !one.hidden).length, seen = [shown()];
        const set = (name, value) => { form[name].value = value; form[name].dispatchEvent(new Event('input', {bubbles: true})); seen.push(shown()); };
        set('rule', 'copy-to-host'); set('rule', ''); set('sure', '2'); set('words', 'no such words'); set('words', 'loss.cpu() copies'); set('words', ''); set('loop', form.loop.options[1].value);
        document.body.dataset.said = seen.join(' ') + ' ' + form.querySelector('output').textContent;"""
    same(in_chromium(page(), script), ("3 1 3 3 0 1 3 3 3 of 3", []))


def test_in_chromium_keys_work():
    script = """
        document.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true}));
        const words = document.activeElement.name;
        document.querySelector('[data-open="1"]').click();
        const open = document.querySelectorAll('details[open]').length;
        document.querySelector('[data-open=""]').click();
        location.hash = '#f2';
        setTimeout(() => { document.body.dataset.said = [words, open, document.querySelectorAll('details[open]').length, document.activeElement.parentNode.id].join(' '); }, 100);"""
    same(in_chromium(page(), script), ("words 3 1 f2", []))


if not CHROMIUM:
    print("note: no Chromium here, the page is not opened in one")
    for name in [name for name in globals() if name.startswith("test_in_chromium")]:
        del globals()[name]
main(sys.modules[__name__])
