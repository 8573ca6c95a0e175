#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A report in Chromium (Debian's package): report_browser.py FOLDER. Sorts, filters and reads the tables of its first page as a
person at the keyboard would, explores the plots of a tensor by pointer and keys, prints, and looks for what Chromium's console
says of it."""

import base64
import contextlib
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request


class Browser:
    """Chromium without a window, by its DevTools protocol."""

    def __init__(self, folder):
        self.program = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", f"--user-data-dir={folder}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ports = os.path.join(folder, "DevToolsActivePort")
        for _ in range(600):
            with contextlib.suppress(OSError, IndexError):
                with open(ports, encoding="ascii") as file:
                    self.port = int(file.read().split()[0])
                break
            time.sleep(0.1)
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/json") as answer:
            path = next(page for page in json.load(answer) if page["type"] == "page")["webSocketDebuggerUrl"].split("/", 3)[3]
        self.stream = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.left = b""
        while b"\r\n\r\n" not in self.left:
            self.left += self.stream.recv(4096)
        self.left = self.left.split(b"\r\n\r\n", 1)[1]
        self.calls = 0
        self.said = []
        for domain in ("Log", "Runtime", "Page"):
            self.call(domain + ".enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def take(self, count):
        while len(self.left) < count:
            self.left += self.stream.recv(65536)
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def message(self):
        text = b""
        while True:
            first, size = self.take(2)
            size &= 0x7F
            if size > 125:
                size = struct.unpack(">H" if size == 126 else ">Q", self.take(2 if size == 126 else 8))[0]
            text += self.take(size)
            if first & 0x80:
                return json.loads(text)

    def call(self, method, **parameters):
        self.calls += 1
        data = json.dumps({"id": self.calls, "method": method, "params": parameters}).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(data))
        self.stream.sendall(b"\x81" + size + bytes(4) + data)  # a mask of zeros leaves the bytes
        while True:
            answer = self.message()
            if answer.get("id") == self.calls:
                return answer["result"]
            if answer.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown"):
                self.said.append(answer["params"])

    def open(self, page):
        address = "file://" + os.path.realpath(page)
        self.call("Page.navigate", url=address)
        while self.value("[document.readyState, location.href]") != ["complete", address]:
            time.sleep(0.1)

    def point(self, place, clicks=False):
        """Moves the pointer to a place in the window."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=place[0], y=place[1])
        for kind in ("mousePressed", "mouseReleased") if clicks else ():
            self.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def key(self, name, text=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode={"Enter": 13, "Tab": 9}.get(name, 0),
                      **({"text": text} if text and kind == "keyDown" else {}))


def check(browser, page):
    browser.open(page)
    assert os.path.getsize(page) < 3 << 20, "the first page is too large"
    # The longest table that can be sorted, and its first column of numbers.
    browser.value("table = [...document.querySelectorAll('table')].sort((a, b) => b.rows.length - a.rows.length)[0];"
                  "column = [...table.tHead.rows[0].cells].findIndex(c => c.className === 'n' && c.querySelector('button'));"
                  "cells = () => [...table.tBodies[0].rows].map(r => r.cells[column].textContent.trim()); 0")
    before = browser.value("cells()")
    assert len(before) >= 20, before

    def numbers():
        return browser.value("cells().map(numberOf).filter(n => n !== null)")

    # Return on the focused header: up, down, as it was.
    browser.value("table.tHead.rows[0].cells[column].querySelector('button').focus()")
    for state, order in (("ascending", sorted), ("descending", lambda n: sorted(n, reverse=True))):
        browser.key("Enter", "\r")
        assert browser.value("table.tHead.rows[0].cells[column].getAttribute('aria-sort')") == state
        assert numbers() == order(numbers()), numbers()
        assert len(browser.value("cells()")) == len(before)
    browser.key("Enter", "\r")
    assert browser.value("cells()") == before

    # A word leaves the rows that have it.
    word = browser.value("table.tBodies[0].rows[0].cells[0].textContent.trim().split(/\\s/)[0]")
    browser.value("table.parentElement.previousElementSibling.querySelector('input').focus()")
    browser.call("Input.insertText", text=word)
    shown = browser.value("[...table.tBodies[0].rows].filter(r => !r.hidden).map(r => r.textContent)")
    assert shown and len(shown) < len(before) and all(word.lower() in text.lower() for text in shown), (word, shown)
    assert browser.value("table.parentElement.previousElementSibling.querySelector('[role=status]').textContent").startswith(f"{len(shown)} of ")

    # What the pages write as numbers.
    for text, number in (("−1.5", -1.5), ("★ 33.20", 33.2), ("★ ≈41.2", 41.2), ("★ least", 1), ("≈41.2", 41.2), ("1.2×10−5", 1.2e-5), ("99\u202f%", 99), ("1\u202f450\u202f407", 1450407), ("–", None)):
        assert browser.value(f"numberOf({json.dumps(text)})") == number, text
    assert browser.value("numberOf('−∞') === -Infinity")
    assert not browser.said, browser.said
    print(f"{page}: {len(before)} rows sorted by the keyboard, {len(shown)} left by \"{word}\", nothing on the console")


def check_plots(browser, page):
    browser.open(page)
    names = browser.value("plots = [...document.querySelectorAll('svg[data-numbers]')]; plots.map(p => p.getAttribute('aria-label'))")
    assert names and all(names), names
    # A histogram: the fullest bin under the pointer.
    browser.value("plot = plots[0]; numbers = JSON.parse(plot.dataset.numbers); field = plot.querySelector('.field');"
                  "line = plot.parentElement.nextElementSibling; plot.scrollIntoView(); [left, , width] = plot.dataset.area.split(' ').map(Number);"
                  "counts = numbers.columns.find(c => c.counts).values; fullest = counts.indexOf(Math.max(...counts)); 0")
    place = browser.value("box = field.getBoundingClientRect();"
                          "[box.left + (numbers.x[fullest] - left) * box.width / width, box.top + box.height / 2]")
    most, total = browser.value("[counts[fullest], counts.reduce((a, b) => a + b)]")
    browser.point(place)
    said = browser.value("line.textContent")
    percent = f"{float(f'{100 * most / total:.3g}'):g}"
    assert f"count {most:,}".replace(",", "\u202f") + f" ({percent}\u202f%)" in said, (said, most, total)
    assert browser.value("plot.querySelector('.cursor').hasAttribute('d')")
    browser.point([2, 2])
    assert not browser.value("line.classList.contains('on')") and not browser.value("plot.querySelector('.cursor').hasAttribute('d')")

    # The arrow keys: a slider with a text, from the first row to the last.
    last = int(browser.value("field.focus(); field.getAttribute('aria-valuemax')"))
    for key, wanted in (("Home", 1), ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("End", last), ("ArrowUp", last), ("Home", 1), ("ArrowDown", 1)):
        browser.key(key)
        assert int(browser.value("field.getAttribute('aria-valuenow')")) == wanted, (key, wanted)
        assert browser.value("line.textContent === field.getAttribute('aria-valuetext')")
    assert browser.value("line.textContent").startswith("from ")
    browser.value("field.blur()")
    assert not browser.value("line.classList.contains('on')")

    # Each entry of a legend: a click hides what it names and nothing else, the space bar shows it again.
    hidden = "[...plot.querySelectorAll('[data-series]')].filter(s => getComputedStyle(s).display === 'none').map(s => s.dataset.series)"
    entries = browser.value("keys = [...plot.querySelectorAll('[data-key][role=checkbox]')]; keys.map(k => k.dataset.key)")
    assert entries, "a legend without check boxes"
    for index, entry in enumerate(entries):
        browser.point(browser.value(f"box = keys[{index}].querySelector('text').getBoundingClientRect(); [box.left + box.width / 2, box.top + box.height / 2]"), True)
        assert set(browser.value(hidden)) == {entry}, (entry, browser.value(hidden))
        assert browser.value(f"keys[{index}].getAttribute('aria-checked')") == "false"
        browser.value(f"keys[{index}].focus()")
        browser.key(" ", " ")
        assert browser.value(hidden) == []

    # Paper has what was chosen, without what is operated; a narrow window scrolls plots, not the page.
    browser.value("keys[0].dispatchEvent(new Event('click')); 0")
    browser.call("Emulation.setEmulatedMedia", media="print")
    shown = "getComputedStyle({}).display !== 'none'"
    assert not any(browser.value(shown.format(f"document.querySelector('{what}')")) for what in ("nav", "output", "figcaption"))
    assert browser.value("getComputedStyle(keys[0]).visibility") == "hidden" and set(browser.value(hidden)) == {entries[0]}
    assert base64.b64decode(browser.call("Page.printToPDF")["data"]).startswith(b"%PDF")
    browser.call("Emulation.setEmulatedMedia", media="")
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=1, mobile=True)
    assert browser.value("document.documentElement.scrollWidth") <= 390
    browser.call("Emulation.clearDeviceMetricsOverride")
    assert not browser.said, browser.said
    print(f"{page}: {len(names)} plots, {last} bins by keys, {len(entries)} entries of the legend, nothing on the console")


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            check(browser, os.path.join(sys.argv[1], "index.html"))
            tensors = os.path.join(sys.argv[1], "tensor")
            for name in sorted(os.listdir(tensors))[-3:]:
                check_plots(browser, os.path.join(tensors, name))
        finally:
            browser.program.terminate()
            browser.program.wait()


if __name__ == "__main__":
    main()
