"""Arguments for calls of natural methods, made up from hints (tests/fixtures/answers/natural.txt says which there
are). The same method and hints give the same calls everywhere: what is drawn comes from SHA-256 alone."""
import hashlib, struct

CALLS = 6
BITS = {"SByte": 8, "Byte": 8, "Int16": 16, "UInt16": 16, "Char": 16, "Int32": 32, "UInt32": 32, "Int64": 64, "UInt64": 64}
SIGNED = {"SByte", "Int16", "Int32", "Int64"}
USUAL = {"SByte": (-128, 127), "Byte": (0, 255), "Int16": (-300, 300), "UInt16": (0, 65535), "Char": (32, 126), "Int32": (-9, 12),
         "UInt32": (0, 20), "Int64": (-9, 30), "UInt64": (0, 30)}
SPECIAL = ["NaN", "Infinity", "-Infinity", -0.0, 0, 1e-40, 1e30]

class Draws:
    def __init__(self, seed):
        self.seed, self.count = seed, 0

    def below(self, n):
        self.count += 1
        digest = hashlib.sha256(f"{self.seed} {self.count}".encode()).digest()
        return int.from_bytes(digest[:12], "big") % n

    def between(self, low, high):
        return low + self.below(high - low + 1)

def any_of(draws, kind):
    """Any bits, one time in three an end of the range."""
    low = -(1 << BITS[kind] - 1) if kind in SIGNED else 0
    high = low + (1 << BITS[kind]) - 1
    choice = draws.below(9)
    if choice < 3:
        return (low, high, low + 1)[choice]
    return draws.between(low, high) >> draws.below(BITS[kind] - 1)

def scalar(draws, kind, hint):
    if kind == "Boolean":
        return bool(draws.below(2))
    if hint.startswith("="):
        return float(hint[1:]) if kind in ("Single", "Double") else int(hint[1:])
    if hint.startswith("of="):
        return ord(hint[3 + draws.below(len(hint) - 3)])
    if kind in ("Single", "Double"):
        if ".." not in hint:
            return SPECIAL[draws.below(len(SPECIAL))] if draws.below(12) == 0 else draws.between(-4000, 4000) / 1000
        low, high = (float(end) for end in hint.split(".."))
        return round(low + (high - low) * draws.below(100001) / 100000, 5)
    if hint == "any":
        return any_of(draws, kind)
    low, high = (int(end) for end in hint.split("..")) if ".." in hint else USUAL.get(kind, USUAL["Int32"])
    return draws.between(low, high)

def array(draws, kind, hint, usual_length):
    if kind.endswith("[]"): # the arrays in an array of arrays
        return [array(draws, kind[:-2], hint, draws.below(5)) for _ in range(usual_length)]
    parts = hint.split("/") if not hint.startswith("of=") else [hint]
    length = next((int(part[4:]) for part in parts if part.startswith("len=")), usual_length)
    element = next((part for part in parts if part != "sorted" and not part.startswith("len=")), "_")
    values = [scalar(draws, kind, element) for _ in range(length)]
    return sorted(value for value in values if not isinstance(value, str)) if "sorted" in parts else values

def calls(method, kinds, hints):
    """Some calls; arrays have one length in most of them."""
    hints = hints + ["_"] * (len(kinds) - len(hints))
    for number in range(CALLS if kinds else 0):
        draws = Draws(f"{method} {number}")
        length = (5, 8, 1, 3, 0, 12)[number]
        arrays = [array(draws, kind[:-2], hint, length) if kind.endswith("[]") else None for kind, hint in zip(kinds, hints)]
        first = next((len(values) for values in arrays if values is not None), length)
        yield [values if values is not None
               else first if hint == "n"
               else draws.below(first + 1) if hint == "below"
               else scalar(draws, kind.rstrip("&"), hint)
               for values, kind, hint in zip(arrays, kinds, hints)]
