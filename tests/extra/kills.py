#!/usr/bin/python3
"""Engines ended at random moments: kills.py [FOLDER OF PROGRAMS] [DUMP] [COUNT] [SEED]. By hand; needs xvfb and xdotool.

Opens the dump in a window on a display of its own, storms it with keys that select tensors, and meanwhile ends, stops
or crashes its engines COUNT times (1000). Fails unless the window lives through all of it, answers at the end, takes
no processor time when left alone, and leaves no orphan and no zombie; then does the same to engines behind a plain
client of the protocol, and ends the window by SIGKILL: its engines must follow.
"""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from engine_talk import Engine, children, preview, status

SIGNALS = (signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV, signal.SIGABRT)
DISPLAY = ":" + str(200 + os.getpid() % 1000)


def key(*names):
    subprocess.run(["xdotool", "key", "--delay", "0", *names], check=False, stderr=subprocess.DEVNULL)


def engines(window):
    return [pid for pid in children(window) if (status(pid, "State") or "Z")[0] != "Z"]


def strike(pid, chance):
    try:
        os.kill(pid, chance.choice(SIGNALS))
        return True
    except ProcessLookupError:
        return False


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as line:
        fields = line.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    return int(status(pid, "VmRSS").split()[0]) // 1024


def wait_until(holds, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.1)
    return holds()


def storm_window(program, dump, count, chance):
    faults = []
    with tempfile.TemporaryDirectory() as home:
        places = {name: home for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")}
        window = subprocess.Popen(
            [program, dump, "--no-cache"], env={**os.environ, **places, "QT_QPA_PLATFORM": "xcb"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        wait_until(lambda: engines(window.pid), 30)
        time.sleep(2)
        before, done, missed = resident(window.pid), 0, 0
        while done < count and window.poll() is None:
            key(*chance.choices(("Down", "Up", "Page_Down", "Page_Up", "Home", "End", "F5"), k=6))
            living = engines(window.pid)
            if living and strike(chance.choice(living), chance):
                done += 1
            else:
                missed += 1
                time.sleep(0.05)
            time.sleep(chance.random() * 0.05)
        if window.poll() is not None:
            return [f"the window ended ({window.returncode}) after {done} kills"]
        # Left alone it comes to rest: stopped engines are found, new ones answer.
        key("Down")
        if not wait_until(lambda: all(status(pid, "State")[0] != "T" for pid in engines(window.pid)), 40):
            faults.append("a stopped engine is left")
        time.sleep(35)  # by then every request may be tried again
        key("Down", "Up")
        time.sleep(3)
        zombies = [pid for pid in children(window.pid) if (status(pid, "State") or " ")[0] == "Z"]
        used = processor_seconds(window.pid)
        time.sleep(5)
        used = (processor_seconds(window.pid) - used) / 5
        print(
            f"window: {done} kills ({missed} times no engine was there), {before} -> {resident(window.pid)} MiB,"
            f" {len(children(window.pid))} engines, {len(zombies)} zombies, {100 * used:.1f} % processor at rest"
        )
        if zombies:
            faults.append("zombies")
        if not engines(window.pid):
            faults.append("no engine answers")
        if used > 0.1:
            faults.append("busy at rest")
        left = engines(window.pid)
        window.kill()
        window.wait()
        if not wait_until(lambda: all(status(pid, "State") in (None,) or status(pid, "State")[0] == "Z" for pid in left), 5):
            faults.append("orphans")
    return faults


def storm_client(program, dump, count, chance):
    """Every engine that is gone is seen at once, and the next one answers."""
    slowest, answered = 0.0, 0
    for _ in range(count):
        engine = Engine(program)
        for index in range(8):
            engine.send("preview", preview(dump, index % 4))
        time.sleep(chance.random() * 0.2)
        chosen = chance.choice(SIGNALS)
        os.kill(engine.process.pid, chosen)
        if chosen == signal.SIGSTOP:
            os.kill(engine.process.pid, signal.SIGKILL)
        started = time.monotonic()
        try:
            while True:
                answered += "result" in engine.reply()
        except EOFError:
            pass
        engine.process.wait(10)
        slowest = max(slowest, time.monotonic() - started)
    print(f"client: {count} kills, {answered} answers before them, an end is seen within {slowest:.2f} s")
    left = [pid for pid in children(os.getpid()) if (status(pid, "Name") or "").startswith("calib")]
    return ["engines left"] if left or slowest > 5 else []


def main():
    words = sys.argv[1:] + [None] * 4
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folder = words[0] or os.path.join(root, ".build/release/bin")
    dump = os.path.abspath(words[1] or os.path.join(root, "resources/sample/sample.h5"))
    count, chance = int(words[2] or 1000), random.Random(int(words[3] or 1))
    display = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1600x1000x24"], stderr=subprocess.DEVNULL)
    os.environ["DISPLAY"] = DISPLAY
    try:
        time.sleep(1)
        faults = storm_window(os.path.join(folder, "calibscope"), dump, count, chance)
        faults += storm_client(os.path.join(folder, "calib"), dump, count, chance)
    finally:
        display.terminate()
        display.wait()
    if faults:
        sys.exit("failed: " + ", ".join(faults))


if __name__ == "__main__":
    main()
