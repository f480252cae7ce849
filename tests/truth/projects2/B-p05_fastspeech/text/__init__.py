import re

_pad = "_"
_silences = ["sp", "spn", "sil"]
_phones = ("AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH "
           "UH UW V W Y Z ZH").split()

symbols = [_pad] + ["@" + s for s in _phones] + ["@" + s for s in _silences]
_symbol_to_id = {s: i for i, s in enumerate(symbols)}
_id_to_symbol = {i: s for i, s in enumerate(symbols)}
_curly_re = re.compile(r"\{(.+?)\}")


def text_to_sequence(text):
    seq = []
    for m in _curly_re.finditer(text):
        seq += [_symbol_to_id["@" + s] for s in m.group(1).split() if "@" + s in _symbol_to_id]
    return seq


def sequence_to_text(sequence):
    return "{" + " ".join(_id_to_symbol[i].lstrip("@") for i in sequence if i != 0) + "}"
