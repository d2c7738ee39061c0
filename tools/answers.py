"""What the tools share that read requests and answers (docs/cli.md): types, bits, and tools as modules."""
import importlib.machinery, importlib.util, re, struct
from pathlib import Path

FORMATS = {"SByte": "b", "Byte": "B", "Boolean": "B", "Int16": "h", "UInt16": "H", "Char": "H", "Int32": "i",
           "UInt32": "I", "Int64": "q", "UInt64": "Q", "IntPtr": "q", "UIntPtr": "Q", "Single": "f", "Double": "d"}

def tool(name):
    """tools/NAME, whose name may be none of a module."""
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(Path(__file__).resolve().parent / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module

def kinds_of(method):
    """The parameter types of a method's name; those of arrays of higher rank and of generic types hold commas."""
    match = re.search(r"\((.*)\)", method)
    return re.findall(r"(?:[^,<>\[\]]|\[[^\]]*\]|<(?:[^<>]|<[^<>]*>)*>)+", match.group(1)) if match else []

def is_nan(text, kind):
    if text == "NaN":
        return True
    if not isinstance(text, str) or not text.startswith("#"):
        return False
    bits = int(text[1:], 16)
    if kind == "Single":
        return bits & 0x7FFFFFFF > 0x7F800000
    return bits & 0x7FFFFFFFFFFFFFFF > 0x7FF0000000000000

def bits_of(kind, value):
    if isinstance(value, str) and value.startswith("#"):
        return value
    value = float(value) if kind in ("Single", "Double") else int(value)
    return "#" + struct.pack(">" + FORMATS[kind], value).hex()

def bits_in(kind, held):
    """Of an argument: a number or an array of them; null and {"same":0} as they are."""
    if held is None or isinstance(held, dict):
        return held
    return [bits_in(kind, v) for v in held] if isinstance(held, list) else bits_of(kind, held)
