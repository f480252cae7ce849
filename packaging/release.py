#!/usr/bin/env python3
"""The wheels of a release, one a platform, cross-compiled with the pinned ziglang: Linux against glibc 2.17 and, for
distributions without glibc, static; macOS from 11 on. Each is checked as far as this machine can: the file's format, what
it needs of the system, and, where it runs here or qemu-user runs it, that its report of corpus/ is this machine's own.

usage: release.py BUILD [TARGET...]      BUILD holds syncl and rulec of this machine; the wheels go to BUILD/wheels"""
import os, pathlib, re, shutil, struct, subprocess, sys
import backend

GLIBC = (2, 17)
MACOS = (11, 0)
TARGETS = {  # zig's name: the wheel's
    "x86_64-linux-gnu.2.17": "manylinux_2_17_x86_64.manylinux2014_x86_64",
    "aarch64-linux-gnu.2.17": "manylinux_2_17_aarch64.manylinux2014_aarch64",
    "x86_64-linux-musl": "musllinux_1_1_x86_64",
    "aarch64-linux-musl": "musllinux_1_1_aarch64",
    "x86_64-macos.11.0": "macosx_11_0_x86_64",
    "aarch64-macos.11.0": "macosx_11_0_arm64",
}
ELF_MACHINES = {"x86_64": 62, "aarch64": 183}
MACHO_CPUS = {"x86_64": 0x01000007, "aarch64": 0x0100000C}


def run(*command, **more):
    return subprocess.run([str(word) for word in command], check=True, **more)


def zig(build):
    """The command of the pinned compiler, in an environment of its own below the build folder."""
    python = build / "zig/bin/python3"
    pins = backend.ROOT / "packaging/requirements.txt"
    marker = build / "zig/pinned"
    if not marker.exists() or marker.read_text() != pins.read_text():
        shutil.rmtree(build / "zig", ignore_errors=True)
        run(sys.executable, "-m", "venv", build / "zig")
        run(python, "-m", "pip", "install", "-q", "--require-hashes", "--only-binary", ":all:", "-r", pins)
        marker.write_text(pins.read_text())
    return f"{python} -m ziglang"


def compile_for(target, build, compiler):
    """The programs for one target: [paths]. The calibrator is made where this machine has CUDA's headers, for Linux, and
    the recorder where NVIDIA's driver loads libraries: on glibc."""
    folder = build / "cross" / target
    cache = {"ZIG_LOCAL_CACHE_DIR": str(build / "zig-cache"), "ZIG_GLOBAL_CACHE_DIR": str(build / "zig-cache")}
    wanted = [f"{folder}/syncl"] + (["calib", f"{folder}/libsyncl-record.so"] if "linux-gnu" in target else [])
    run("make", "-s", f"-j{os.cpu_count()}", f"BUILD={folder.relative_to(backend.ROOT)}", f"RULEC={build / 'rulec'}", "WARNINGS=-w",
        f"CC={compiler} cc -target {target} -g0", f"AR={compiler} ar", *(w.replace(f"{backend.ROOT}/", "") for w in wanted),
        cwd=backend.ROOT, env=os.environ | cache, stdout=subprocess.DEVNULL)
    made = [folder / "syncl", folder / "syncl-calibrate", folder / "libsyncl-record.so"]
    return [path for path in made if path.exists()]


# ---- what a program needs ----


def check_elf(path, target):
    machine = struct.unpack_from("<H", path.read_bytes(), 18)[0]
    said = run("readelf", "-W", "-d", "-l", "-V", path, capture_output=True, text=True).stdout
    needs = sorted(re.findall(r"\(NEEDED\).*\[(.*)\]", said))
    versions = [tuple(map(int, v.split("."))) for v in re.findall(r"Name: GLIBC_([\d.]+)", said)]
    assert machine == ELF_MACHINES[target.split("-")[0]], f"{path} is for machine {machine}"
    if "musl" in target:
        assert not needs and "INTERP" not in said, f"{path} is not static: {needs}"
        return "static"
    assert max(versions) <= GLIBC, f"{path} needs glibc {max(versions)}"
    assert all(re.fullmatch(r"(lib(c|m|dl|pthread)|ld-linux-.*)\.so\.\d", need) for need in needs), f"{path} needs {needs}"
    return f"glibc {'.'.join(map(str, max(versions)))}, {' '.join(needs)}"


def check_macho(path, target):
    """https://github.com/apple-oss-distributions/xnu/blob/main/EXTERNAL_HEADERS/mach-o/loader.h"""
    data = path.read_bytes()
    magic, cpu, _, kind, count = struct.unpack_from("<5I", data)
    assert (magic, kind) == (0xFEEDFACF, 2) and cpu == MACHO_CPUS[target.split("-")[0]], f"{path}: {magic:x} {cpu:x} {kind}"
    at, libraries, least, signed = 32, [], None, False
    for _ in range(count):
        command, size = struct.unpack_from("<2I", data, at)
        if command == 0x0C:  # LC_LOAD_DYLIB
            libraries.append(data[at + struct.unpack_from("<I", data, at + 8)[0] : at + size].rstrip(b"\0").decode())
        if command == 0x32:  # LC_BUILD_VERSION
            version = struct.unpack_from("<I", data, at + 12)[0]
            least = (version >> 16, version >> 8 & 255)
        signed = signed or command == 0x1D  # LC_CODE_SIGNATURE: Apple's chips run nothing without one
        at += size
    assert libraries == ["/usr/lib/libSystem.B.dylib"] and least and least <= MACOS, f"{path} needs {libraries}, macOS {least}"
    assert signed or "x86_64" in target, f"{path} is not signed"
    return f"macOS {least[0]}.{least[1]}, libSystem{', signed' if signed else ''}"


def runner(target):
    """What runs a program for `target` here; None: nothing does."""
    machine = target.split("-")[0]
    if "linux" not in target:
        return None
    if machine == os.uname().machine:
        return []
    emulator = shutil.which(f"qemu-{machine}") or shutil.which(f"qemu-{machine}-static")
    root = pathlib.Path(f"/usr/{machine}-linux-gnu")
    if not emulator or ("musl" not in target and not root.exists()):
        return None
    return [emulator] if "musl" in target else [emulator, "-L", root]


def report(command):
    done = subprocess.run([str(word) for word in command] + ["--output-format=json", "corpus"], cwd=backend.ROOT, capture_output=True)
    assert done.returncode in (0, 1), f"{command}: exit {done.returncode}: {done.stderr[-500:]}"
    return done.stdout


def check(path, target, own):
    words = check_elf(path, target) if "linux" in target else check_macho(path, target)
    command = runner(target)
    if path.name != "syncl" or command is None:
        return words + ("; not run here" if path.name == "syncl" else "")
    assert report(command + [path]) == own, f"{path} reports something else than this machine's syncl"
    return words + "; its report of corpus/ is the same to the byte"


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    compiler, own = zig(build), report([build / "syncl"])
    share = backend.pages(build / "syncl")
    (build / "wheels").mkdir(exist_ok=True)
    for target in sys.argv[2:] or TARGETS:
        programs = compile_for(target, build, compiler)
        for path in programs:
            print(f"{target}: {path.name}, {path.stat().st_size / 1e6:.1f} MB: {check(path, target, own)}", flush=True)
        name = backend.write_wheel(build / "wheels", TARGETS[target], {path.name: path.read_bytes() for path in programs}, share)
        print(f"  {name}, {(build / 'wheels' / name).stat().st_size / 1e6:.1f} MB", flush=True)


main()
