"""The productions of a grammar that tree-sitter compiled, read back from its parse table (parser.c): no source of the
grammar comes with the package. Where a state reduces N symbols to A, the N transitions on every way into that state,
from a state that can go on with A, spell the right side; where ways differ in one place, that place has a choice."""
import re
from collections import defaultdict

LINE = r"\n  \[(?:\w+\()?(\w+)\)?\] = "


def section(text, name):
    start = text.index(name)
    return text[start : text.index("\n};", start)]


def parse_actions(text):
    """Of each index: the state to go to or None, and the reductions (symbol, how many)."""
    actions = {}
    for index, body in re.findall(LINE + r"\{\.entry = .*?\}\}(.*)", section(text, "ts_parse_actions[]")):
        shift = re.search(r" SHIFT\((\d+)\)", body)
        reductions = re.findall(r"REDUCE\((\w+), (\d+)", body)
        actions[int(index)] = (int(shift[1]) if shift else None, [(name, int(count)) for name, count in reductions])
    return actions


def entries(text):
    """(state, symbol, STATE or ACTIONS, number) of both forms of the table."""
    for row, body in re.findall(LINE + r"\{(.*?)\n  \}", section(text, "ts_parse_table[LARGE"), re.S):
        for symbol, kind, number in re.findall(r"\[(\w+)\] = (STATE|ACTIONS)\((\d+)\)", body):
            yield int(row), symbol, kind, int(number)
    rows = {offset: int(row) for row, offset in re.findall(LINE + r"(\d+)", section(text, "ts_small_parse_table_map[]"))}
    for offset, body in re.findall(LINE + r"\d+,((?:\n    .*)*)", section(text, "ts_small_parse_table[]")):
        for kind, number, symbols in re.findall(r"(STATE|ACTIONS)\((\d+)\), \d+,((?:\s+\w+,)+)", body):
            for symbol in symbols.replace(",", " ").split():
                yield rows[offset], symbol, kind, int(number)


def automaton(text):
    """Of each state: where each symbol leads, and what it reduces."""
    go, reductions, actions = defaultdict(dict), defaultdict(set), parse_actions(text)
    for state, symbol, kind, number in entries(text):
        target, reduced = (number, []) if kind == "STATE" else actions[number]
        if target is not None:
            go[state][symbol] = target
        reductions[state].update(reduced)
    return go, reductions


def right_side(go, before, state, left, count):
    """What stands in each of `count` places before `state`: sets of symbols; None where no way leads there."""
    layers = [{state}]
    for _ in range(count):
        layers.append({source for target in layers[-1] for source in before[target]})
    ways = [{source for source in layers[count] if left in go[source]}]
    for layer in reversed(layers[:count]):  # forward again, from where `left` is expected only
        ways.append({target for source in ways[-1] for target in go[source].values()} & layer)
    reached, places = {state}, []
    for sources in reversed(ways[:count]):
        places.append(frozenset(symbol for s in sources for symbol, target in go[s].items() if target in reached))
        reached = {s for s in sources if reached & set(go[s].values())}
    return tuple(reversed(places)) if all(places) else None


def read(path):
    """{symbol: [right sides]}, in an order that is always the same, and the text or name of each symbol."""
    text = path.read_text()
    names = dict(re.findall(r'\[(\w+)\] = "((?:[^"\\]|\\.)*)"', section(text, "ts_symbol_names[]")))
    go, reductions = automaton(text)
    before = defaultdict(set)
    for source, targets in go.items():
        for target in targets.values():
            before[target].add(source)
    productions = defaultdict(set)
    for state, reduced in reductions.items():
        for left, count in reduced:
            productions[left].add(right_side(go, before, state, left, count))
    order = lambda places: [sorted(place) for place in places]
    return {left: sorted(rights - {None}, key=order) for left, rights in sorted(productions.items())}, names
