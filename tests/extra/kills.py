#!/usr/bin/python3
"""Programs ended at random moments: kills.py [FOLDER OF PROGRAMS] [DUMP] [COUNT] [SEED] [PARTS]. By hand; needs xvfb and xdotool.

Opens the dump in a window on a display of its own, storms it with keys that select tensors, and meanwhile ends, stops
or crashes its engines COUNT times (1000). Fails unless the window lives through all of it, answers at the end, takes
no processor time when left alone, and leaves no orphan and no zombie; then does the same to engines behind a plain
client of the protocol, and ends the window by SIGKILL: its engines must follow. Then COUNT / 5 commands of calib with an
output are struck, they or their readers: the output is the former or the new one, a dead reader is told, and nobody stays.
Last COUNT / 40 windows are killed while a session is saved over and over: it and the copies of unsaved work are whole.

PARTS: some of window,client,commands,saving; all of them by default.
"""

import glob
import json
import os
import random
import shutil
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


def focus(window):
    """Without a window manager nobody gives keys to a window. Whether it has them now."""
    found = subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(window)], check=False, capture_output=True, text=True).stdout.split()
    if not found:
        return False
    done = subprocess.run(["timeout", "5", "xdotool", "windowfocus", "--sync", found[-1]], check=False, stderr=subprocess.DEVNULL)
    return done.returncode == 0


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
        if not wait_until(lambda: focus(window.pid), 30):
            faults.append("the window gets no keys")
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
        key("F5")  # the last one may have ended the opening of the dump, which nobody repeats unasked
        time.sleep(3)
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


def of_session(session):
    """Living processes that a process of its own session has left."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path) as line:
                text = line.read()
        except OSError:
            continue
        fields = text.rsplit(")", 1)[1].split()
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(path.split("/")[2]))
    return found


def content(path):
    if not os.path.exists(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def strike_command(argv, target, chance, whole):
    """Who was struck by what, the exit code, what was said; nobody where it had ended before."""
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(whole * chance.random() ** 2)
    readers = children(process.pid)
    who = "reader" if readers and chance.random() < 0.6 else "command"
    chosen = chance.choice(SIGNALS)
    victim = readers[0] if who == "reader" else process.pid
    struck = process.poll() is None
    try:
        if struck:
            os.kill(victim, chosen)
            if chosen == signal.SIGSTOP:
                time.sleep(0.05)
                os.kill(victim, signal.SIGCONT)
    except ProcessLookupError:
        struck = False
    said = process.communicate(timeout=120)[1]
    return (who, chosen) if struck else (None, None), process.returncode, said


def storm_commands(program, dump, count, chance):
    """Commands with an output: old or new, a dead reader is told, nobody is left."""
    faults, struck, told, new = [], 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        target = os.path.join(folder, "out")
        commands = [[program, *words, "-o", target] for words in (
            ["info", dump], ["stats", dump], ["scales", dump, "--calibrator", "min-max"], ["check-dump", dump])]
        fresh, seconds = [], []
        for argv in commands:
            begin = time.monotonic()
            subprocess.run(argv, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            seconds.append(time.monotonic() - begin)
            fresh.append(content(target))
        for _ in range(count):
            which = chance.randrange(len(commands))
            with open(target, "wb") as file:
                file.write(b"old\n")
            (who, chosen), code, said = strike_command(commands[which], target, chance, seconds[which])
            found = content(target)
            struck += who is not None
            new += found == fresh[which]
            named = f"{' '.join(commands[which][1:2])}, {who} {chosen and chosen.name}: code {code}"
            if found not in (b"old\n", fresh[which]):
                faults.append(f"half an output ({named})")
            if who == "reader" and chosen != signal.SIGSTOP and code not in (0, 3):
                faults.append(f"a dead reader ends as {code} ({named})")
            if code == 3:
                told += 1
                if not said.strip():
                    faults.append(f"no sentence ({named})")
            elif code == 0 and found != fresh[which]:
                faults.append(f"code 0, and nothing written ({named})")
    left = [pid for pid in children(os.getpid()) if (status(pid, "Name") or "").startswith("calib")]
    print(f"commands: {count} run, {struck} struck, {told} told of their reader's end, {new} outputs new, the others as before")
    return faults + (["orphans of commands"] if left else [])


def storm_saving(program, dump, count, chance):
    """A window that saves and pins in turn, killed: the session and the copies beside can be read as a whole."""
    faults, saved, pinned, copies = [], 0, 0, 0
    for _ in range(count):
        with tempfile.TemporaryDirectory() as home:
            shutil.copy(dump, os.path.join(home, "dump.h5"))
            session = os.path.join(home, "s.calsession")
            with open(session, "w") as file:
                json.dump({"format": "calibscope session", "version": 3, "dumps": [{"path": "dump.h5"}]}, file)
            places = {name: home for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR")}
            before = content(session)
            window = subprocess.Popen([program, session, "--no-cache"], env={**os.environ, **places, "QT_QPA_PLATFORM": "xcb"},
                                      stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            wait_until(lambda: engines(window.pid), 60)
            wait_until(lambda: focus(window.pid), 30)
            wait_until(lambda: content(session) != before or (key("Down", "space", "ctrl+s"), False)[1], 60)
            end = time.monotonic() + chance.random() * 1.5
            while time.monotonic() < end:
                key("Down", "space", "ctrl+s")
            window.kill()
            window.wait()
            for path in [session, *glob.glob(home + "/**/*.calsession", recursive=True)]:
                try:
                    whole = json.loads(content(path))
                    if whole["format"] != "calibscope session" or not content(path).endswith(b"}\n" if path != session or content(path) != before else b"}"):
                        faults.append("no whole session: " + path)
                except (ValueError, KeyError) as error:
                    faults.append(f"half a session: {error}")
                copies += path != session
            saved += content(session) != before
            pinned += sum(len(dump.get("pins", [])) for dump in json.loads(content(session))["dumps"])
            if not wait_until(lambda: not of_session(window.pid), 10):
                faults.append("an engine outlives its window")
    print(f"saving: {count} windows killed, {saved} had saved ({pinned} pins in all), {copies} copies of unsaved work, all whole: {not faults}")
    return faults


def main():
    words = sys.argv[1:] + [None] * 5
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folder = words[0] or os.path.join(root, ".build/release/bin")
    dump = os.path.abspath(words[1] or os.path.join(root, "resources/sample/sample.h5"))
    count, chance = int(words[2] or 1000), random.Random(int(words[3] or 1))
    parts = (words[4] or "window,client,commands,saving").split(",")
    display = subprocess.Popen(["Xvfb", DISPLAY, "-screen", "0", "1600x1000x24"], stderr=subprocess.DEVNULL)
    os.environ["DISPLAY"] = DISPLAY
    try:
        time.sleep(1)
        calib, calibscope = os.path.join(folder, "calib"), os.path.join(folder, "calibscope")
        faults = []
        if "window" in parts:
            faults += storm_window(calibscope, dump, count, chance)
        if "client" in parts:
            faults += storm_client(calib, dump, count, chance)
        if "commands" in parts:
            faults += storm_commands(calib, dump, count // 5, chance)
        if "saving" in parts:
            faults += storm_saving(calibscope, dump, max(count // 40, 1), chance)
    finally:
        display.terminate()
        display.wait()
    if faults:
        sys.exit("failed: " + ", ".join(faults))


if __name__ == "__main__":
    main()
