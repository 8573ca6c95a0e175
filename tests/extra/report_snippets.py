"""Runs every program of a report's pages and holds what it prints against the numbers on the page.

report_snippets.py FOLDER; programs name dumps as the report was told, so run it where the report was made.
"""
import contextlib
import glob
import html
import io
import math
import re
import sys

SNIPPET = re.compile(r'<details class="code"><summary>(.*?)</summary>\n<pre>(.*?)</pre>', re.S)
PRINTED_DIGITS = 1.1e-3  # four digits, the last one rounded
DECIBEL = 0.0051  # two decimals


def number(cell):
    """The number of a cell; None where there is none."""
    cell = re.sub(r"×10<sup>(.*?)</sup>", r"e\1", cell)
    text = html.unescape(re.sub(r"<.*?>", "", cell)).replace("−", "-").replace("∞", "inf")
    text = re.sub(r"[★≈%\s\u202f]", "", text)
    try:
        return float(text)
    except ValueError:
        return None


def results(page):
    """The page's result table: {label: {title: number}}."""
    table = page[page.index("<h2>Results</h2>"):]
    table = table[:table.index("</table>")]
    titles = [html.unescape(title) for title in re.findall(r"<th[^>]*>(.*?)</th>", table)]
    found = {}
    for row in re.findall(r"<tr>(<td>.*?)</tr>", table, re.S):
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.S)
        label = html.unescape(re.search(r"<strong>(.*?)</strong>", cells[0]).group(1))
        found[label] = dict(zip(titles, map(number, cells)))
    return found


def statistics(page):
    """The page's facts: {title: number}."""
    facts = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)
    return {title: number(text) for title, text in facts}


def printed(code):
    """What a program prints as lines "name value"; channels' scales under one name, the largest."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "snippet", "exec"), {})
    assert out.getvalue(), "it prints nothing"
    values = {}
    for line in out.getvalue().splitlines():
        words = line.split()
        if len(words) != 2:
            continue
        try:
            name, value = words[0].split("[")[0], float(words[1])
        except ValueError:
            continue
        values[name] = max(values.get(name, -math.inf), value)
    return values


def differ(one, other, is_decibel=False):
    if one is None or other is None:
        return False
    if one == other:
        return False
    return abs(one - other) > (DECIBEL if is_decibel else PRINTED_DIGITS * abs(other))


def main(folder):
    run, compared, failures = 0, 0, []
    for path in sorted(glob.glob(folder + "/tensor/*.html")):
        page = open(path, encoding="utf-8").read()
        shown = results(page)
        facts = statistics(page)
        for title, code in SNIPPET.findall(page):
            title = html.unescape(title)
            values = printed(html.unescape(code))
            run += 1
            pairs = []
            kind, _, label = title.partition(" of ")
            row = shown.get(label, {})
            if kind == "Scale":
                pairs = [("scale", row["Scale"])]
            elif kind == "Metrics":
                pairs = [("sqnr_db", row["SQNR, dB"]), ("mse", row["MSE"]), ("max_error", row["Largest error"])] \
                    if "MSE" in row and "Largest error" in row else [("sqnr_db", row["SQNR, dB"])]
            elif kind == "Statistics":
                pairs = [("min", facts.get("Minimum")), ("max", facts.get("Maximum")),
                         ("mean", facts.get("Mean")), ("zeros", facts.get("Zeros"))]
            for name, on_page in pairs:
                compared += on_page is not None
                if differ(values.get(name), on_page, name == "sqnr_db"):
                    failures.append(f"{path}: {title}: {name} {values.get(name)}, on the page {on_page}")
    print(f"{run} programs ran, {compared} numbers were compared")
    for failure in failures:
        print(failure, file=sys.stderr)
    return 1 if failures or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
