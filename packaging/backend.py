"""Builds wheels and the source archive (PEP 517), with the standard library only. syncl is a C program: its wheel carries
what `make` built, as a script, and a binary that was cross-compiled goes into a wheel of its own platform."""
import base64, gzip, hashlib, io, os, pathlib, re, shutil, subprocess, sysconfig, tarfile, tempfile, zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
STAMP = (1980, 1, 1, 0, 0, 0)  # the same sources give the same bytes
PINS = re.compile(r"\.tar\.gz$")


def project(key):
    table = (ROOT / "pyproject.toml").read_text().split("[project]")[1].split("\n[")[0]
    return re.search(rf'^{key} = "(.*)"$', table, re.M)[1]


def stem():
    return f"{project('name')}-{project('version')}"


def metadata():
    """https://packaging.python.org/en/latest/specifications/core-metadata/"""
    head = [
        "Metadata-Version: 2.4",
        f"Name: {project('name')}",
        f"Version: {project('version')}",
        f"Summary: {project('description')}",
        f"Requires-Python: {project('requires-python')}",
        f"License-Expression: {project('license')}",
        "License-File: LICENSE",
        "License-File: NOTICE",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(head) + "\n\n" + (ROOT / "README.md").read_text(encoding="utf-8")


# ---- wheels ----


def local_tag():
    """This machine's platform. A program that needs no shared library runs on any distribution, but only a build against
    an old C library is named manylinux: those wheels are made by release.py."""
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    target = os.environ.get("MACOSX_DEPLOYMENT_TARGET")
    if platform.startswith("macosx") and target:
        platform = re.sub(r"macosx_\d+_\d+", "macosx_" + target.replace(".", "_"), platform)
    return platform


def pages(syncl):
    """The manual page and the completions, as the program prints them: {path below share/: bytes}."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["sh", str(ROOT / "packaging/pages.sh"), str(syncl), folder], check=True)
        files = sorted(p for p in pathlib.Path(folder).rglob("*") if p.is_file())
        return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


def stripped(program):
    """Without what only a debugger reads, where the machine has strip."""
    if not shutil.which("strip"):
        return program.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / program.name
        shutil.copy(program, copy)
        subprocess.run(["strip", str(copy)], check=False)
        return copy.read_bytes()


def add(archive, record, name, data, mode=0o644):
    info = zipfile.ZipInfo(name, STAMP)
    info.external_attr = (0o100000 | mode) << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, data)
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    record.append(f"{name},sha256={digest},{len(data)}")


def wheel_text(tag):
    tags = "".join(f"Tag: py3-none-{one}\n" for one in tag.split("."))
    return f"Wheel-Version: 1.0\nGenerator: syncl\nRoot-Is-Purelib: false\n{tags}"


def write_wheel(folder, tag, programs, share):
    """programs: {name: bytes} of the binaries; share: what pages() gives. Gives the wheel's file name."""
    name, record = f"{stem()}-py3-none-{tag}.whl", []
    data, info = f"{stem()}.data", f"{stem()}.dist-info"
    with zipfile.ZipFile(pathlib.Path(folder) / name, "w") as archive:
        for program, content in programs.items():
            add(archive, record, f"{data}/scripts/{program}", content, 0o755)
        for path, content in share.items():
            add(archive, record, f"{data}/data/share/{path}", content)
        add(archive, record, f"{info}/METADATA", metadata().encode())
        add(archive, record, f"{info}/WHEEL", wheel_text(tag).encode())
        for page in ("LICENSE", "NOTICE"):
            add(archive, record, f"{info}/licenses/{page}", (ROOT / page).read_bytes())
        record.append(f"{info}/RECORD,,\n")
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD", STAMP), "\n".join(record))
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """So that pip need not build to learn a name."""
    folder = pathlib.Path(metadata_directory) / f"{stem()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(metadata(), encoding="utf-8")
    (folder / "WHEEL").write_text(wheel_text(local_tag()))
    return folder.name


def make(*arguments):
    missing = [tool for tool in ("make", os.environ.get("CC", "cc").split()[0], "ar") if not shutil.which(tool)]
    if missing:
        raise SystemExit(f"syncl: building needs {', '.join(missing)}; a wheel from the package index needs no compiler")
    # The pip that fetches the pinned sources is one of its own, not part of the one that builds this wheel.
    own = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_BUILD", "PIP_REQ", "PEP517", "_PYPROJECT_HOOKS", "PYTHON"))}
    done = subprocess.run(["make", "-s", f"-j{os.cpu_count() or 2}", *arguments], cwd=ROOT, env=own)
    if done.returncode:
        raise SystemExit("syncl: make failed, its words stand above")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    recorder = "build/libsyncl-record.so"
    make("build/syncl", "calib", *[recorder] * sysconfig.get_platform().startswith("linux"))
    built = [path for path in (ROOT / "build/syncl", ROOT / "build/syncl-calibrate", ROOT / recorder) if path.exists()]
    return write_wheel(wheel_directory, local_tag(), {path.name: stripped(path) for path in built}, pages(built[0]))


# ---- the source archive ----


def sources():
    """What git tracks; in an unpacked archive, all there is."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        return sorted(name for name in listed.decode().split("\0") if name and (ROOT / name).is_file())
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file())
    return sorted(p.as_posix() for p in found if p.parts[0] != "build" and "__pycache__" not in p.parts and p.name != "PKG-INFO")


def pinned():
    """The archives of the pinned sources, which make an offline build possible: {name in the archive: path}."""
    make("pins")
    folder = pathlib.Path(os.environ.get("SYNCL_PINS") or ROOT / "grammars/archives")
    folder = folder if folder.is_dir() else ROOT / "build/pins/archives"
    hashes = set(re.findall(r"sha256:([0-9a-f]{64})", (ROOT / "grammars/requirements.txt").read_text()))
    found = {hashlib.sha256(p.read_bytes()).hexdigest(): p for p in sorted(folder.iterdir()) if PINS.search(p.name)}
    return {f"grammars/archives/{found[key].name}": found[key] for key in sorted(hashes)}


def build_sdist(sdist_directory, config_settings=None):
    name = f"{stem()}.tar.gz"
    files = {path: ROOT / path for path in sources() if not path.startswith("grammars/archives/")} | pinned()
    with open(pathlib.Path(sdist_directory) / name, "wb") as out:
        with gzip.GzipFile("", "wb", mtime=0, fileobj=out) as packed, tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path in sorted(files):
                add_source(archive, path, files[path].read_bytes(), os.access(files[path], os.X_OK))
            add_source(archive, "PKG-INFO", metadata().encode(), False)
    return name


def add_source(archive, path, data, executable):
    info = tarfile.TarInfo(f"{stem()}/{path}")
    info.size, info.mode = len(data), 0o755 if executable else 0o644
    archive.addfile(info, io.BytesIO(data))


def get_requires_for_build_wheel(config_settings=None):
    return []


def get_requires_for_build_sdist(config_settings=None):
    return []
