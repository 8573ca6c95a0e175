#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A report in Chromium (Debian's package): report_browser.py FOLDER. Sorts, filters and reads the tables of its first page as a
person at the keyboard would, and looks for what Chromium's console says of it."""

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

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def key(self, name, text=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=13 if name == "Enter" else 0,
                      **({"text": text} if text and kind == "keyDown" else {}))


def check(browser, page):
    browser.call("Log.enable")
    browser.call("Runtime.enable")
    browser.call("Page.enable")
    browser.call("Page.navigate", url="file://" + os.path.realpath(page))
    while browser.value("document.readyState") != "complete":
        time.sleep(0.1)
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


def main():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        browser = Browser(folder)
        try:
            check(browser, os.path.join(sys.argv[1], "index.html"))
        finally:
            browser.program.terminate()
            browser.program.wait()


if __name__ == "__main__":
    main()
