"""Packs a cut trace (trace_cut.py) to a third of what gzip makes of it, so that many can be kept, and unpacks it again.

    python3 tests/truth/trace_pack.py NAME.json.gz ...        each becomes NAME.xz
    python3 tests/truth/trace_pack.py NAME.xz > NAME.json     and back

What an event is (category, name, process, thread, stream, device) stands in a list once; columns tell which it is, when
it began since the last one of its thread or stream ended, how long it took, its correlation and bytes: nanoseconds and
differences, which xz packs well.
"""
import gzip
import json
import lzma
import os
import sys

COLUMNS = ("what", "begin", "took", "correlation", "bytes")


def numbers(column):
    return ",".join(map(str, column))


def pack(text):
    trace = json.loads(text)
    events = trace.pop("traceEvents")
    kinds, columns, ended, correlated = {}, {name: [] for name in COLUMNS}, {}, {}
    for event in events:
        arguments = dict(event["args"])
        correlation, size = arguments.pop("correlation", None), arguments.pop("bytes", None)
        kind = json.dumps([event["cat"], event["name"], event["pid"], event["tid"], arguments,
                           correlation is not None, size is not None])
        line = event["cat"], event["tid"]
        begin, took = round(event["ts"] * 1000), round(event["dur"] * 1000)
        row = (kinds.setdefault(kind, len(kinds)), begin - ended.get(line, 0), took,
               (correlation or 0) - correlated.get(line, 0), size or 0)
        for name, value in zip(COLUMNS, row):
            columns[name].append(value)
        ended[line], correlated[line] = begin + took, correlation or 0
    lines = [json.dumps(trace), "[" + ",".join(kinds) + "]", *(numbers(columns[name]) for name in COLUMNS)]
    return lzma.compress("\n".join(lines).encode(), preset=9 | lzma.PRESET_EXTREME)


def compact(value):
    return json.dumps(value, separators=(",", ":"))


def frame_of(kind):
    """What stands around an event's numbers in its line: before its time, and in its arguments."""
    category, name, process, thread, arguments, has_correlation, has_bytes = kind
    begin = compact({"ph": "X", "cat": category, "name": name, "pid": process, "tid": thread})[:-1] + ',"ts":'
    told = compact(arguments)[1:-1]
    return (category, thread), begin, told, has_correlation, has_bytes


def lines_of(kinds, columns):
    frames, ended, correlated = [frame_of(kind) for kind in kinds], {}, {}
    for what, begin, took, correlation, size in zip(*columns):
        line, before, told, has_correlation, has_bytes = frames[what]
        begin += ended.get(line, 0)
        correlation += correlated.get(line, 0)
        ended[line], correlated[line] = begin + took, correlation
        arguments = [f'"correlation":{correlation}'] if has_correlation else []
        arguments += [told] if told else []
        arguments += [f'"bytes":{size}'] if has_bytes else []
        yield f'{before}{begin / 1000},"dur":{took / 1000},"args":{{{",".join(arguments)}}}}}'


def unpack(packed):
    """The trace as text, an event a line, as trace_cut.py writes it."""
    head, kinds, *columns = lzma.decompress(packed).decode().split("\n")
    columns = [[int(number) for number in column.split(",") if number] for column in columns]
    events = ",\n".join(lines_of(json.loads(kinds), columns))
    comma = ", " if len(head) > 2 else ""
    return f'{head[:-1]}{comma}"traceEvents": [\n{events}\n]}}\n'


def pack_file(path):
    with gzip.open(path, "rt") as file:
        text = file.read()
    packed = pack(text)
    assert json.loads(unpack(packed)) == json.loads(text), path
    with open(path.removesuffix(".json.gz") + ".xz", "wb") as file:
        file.write(packed)
    os.unlink(path)


def main():
    for path in sys.argv[1:]:
        if path.endswith(".xz"):
            with open(path, "rb") as file:
                sys.stdout.write(unpack(file.read()))
        else:
            pack_file(path)


if __name__ == "__main__":
    main()
