"""The look of the picture: colours that people with any colour vision can distinguish, for light and for dark pages, and shapes, so that
colour is never the only difference. style_test.py measures the colours."""

# On a light page, on a dark one.
GROUND, TEXT = ("#ffffff", "#14171c"), ("#1c1c1c", "#e8e8e8")
FAINT, GRID, LIMIT = ("#5f5f5f", "#a0a6ae"), ("#e7e7e7", "#2b3038"), ("#a01c1c", "#ff7b72")
SERIES = [
    ("#153b64", "#4766a9"),  # navy
    ("#da260e", "#dd4900"),  # red
    ("#00847c", "#00f7b2"),  # green
    ("#7231c9", "#9a77ff"),  # violet
    ("#ff8b00", "#eecb0c"),  # orange
    ("#4f3635", "#e3d7f2"),  # near the text
    ("#00b3ff", "#86b1f2"),  # sky
    ("#bd875f", "#805f52"),  # brown
    ("#c5a8cd", "#cc779e"),  # lilac
]
MARKS = "osD^v"  # 9 colours and 5 marks: 45 series differ

# Keeps text as text; the same run gives the same bytes.
SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "certile", "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans"],
            "font.size": 10, "text.color": TEXT[0], "axes.labelcolor": TEXT[0], "xtick.color": TEXT[0], "ytick.color": TEXT[0]}


def colour(series: int) -> str:
    return SERIES[series % len(SERIES)][0]


def mark(series: int) -> str:
    return MARKS[series % len(MARKS)]


def dark_sheet() -> str:
    """Returns the style sheet with the dark colours, because matplotlib writes each colour where it is used."""
    rules = "".join(f'[style*="{what}: {light}"]{{{what}:{dark}!important}}' for light, dark in [GROUND, TEXT, FAINT, GRID, LIMIT, *SERIES]
                    for what in ("fill", "stroke"))
    return f"@media (prefers-color-scheme: dark){{{rules}}}"
