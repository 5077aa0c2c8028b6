"""Writers of figures and names, the same in every report and in the table of certile-bench."""
import math
import re

from run_file import Limit, Machine
from timings import TOO_FEW_ROUNDS, Comparison


def printable(text: str) -> str:
    """Shows control characters, invisible ones, and beginnings of commands to a CI system as \\xNN."""
    shown = "".join(each if each.isprintable() else "".join(f"\\x{byte:02x}" for byte in each.encode("utf-8", "surrogatepass"))
                    for each in text)
    return re.sub(r"^(\s*):", r"\1\\x3a", re.sub(r"#(?=#[A-Za-z]*\[)", r"\\x23", shown))


def shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[:limit] + "…"


def printable_name(name: str) -> str:
    return shortened(printable(name), 80)


def markdown_text(text: str) -> str:
    """Escapes text for every Markdown reader, in cells of tables as well."""
    return re.sub(r"[&<>|`*_\[\]\\~#@$]|:(?=//)|(?<=www)\.", lambda found: f"&#{ord(found[0])};", printable(text), flags=re.IGNORECASE)


def counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def three_digits(value: float) -> str:
    """Writes three significant digits, without an exponent."""
    if not math.isfinite(value):
        return "-"
    return f"{value:.{0 if value >= 99.95 else 1 if value >= 9.995 else 2}f}"


def time_text(nanoseconds: float) -> str:
    for unit in ("ns", "us", "ms"):
        if nanoseconds < 1000:
            return f"{three_digits(nanoseconds)} {unit}"
        nanoseconds /= 1000
    return f"{three_digits(nanoseconds)} s"


def size_text(size: int) -> str:
    if size < 1024:
        return f"{size} B"
    return f"{three_digits(size / 1024)} KiB" if size < 1048576 / 8 else f"{three_digits(size / 1048576)} MiB"


def rate_text(size: int, nanoseconds: float) -> str:
    """Writes bytes over time in GB/s."""
    return three_digits(size / nanoseconds)


def interval_text(comparison: Comparison) -> str:
    if comparison.word == TOO_FEW_ROUNDS:
        return ""
    return f"{three_digits(comparison.low)} to {three_digits(comparison.high)}"


def limit_text(limit: Limit) -> str:
    return limit.probe if limit.threads == 1 else f"{limit.probe}, {limit.threads} threads"


def machine_text(machine: Machine) -> str:
    def cache(size: int) -> str:
        return "?" if size == 0 else f"{size // 1024} KiB" if size < 1048576 else f"{size // 1048576} MiB"
    levels = machine.level1_bytes, machine.level2_bytes, machine.level3_bytes
    phrases = [machine.processor, counted(machine.cores, "core") if machine.cores else "",
               "caches " + ", ".join(map(cache, levels)) if any(levels) else "",
               machine.governor and f"governor {machine.governor}", machine.system, machine.pages, machine.compiler, machine.flags,
               machine.commit and f"commit {machine.commit}", machine.benchmark_library]
    return "; ".join(printable(phrase) for phrase in phrases if phrase)
