#!/usr/bin/python3 -I
"""What a host of the rehearsal has in place of systemd: it reads the same units and starts what they say, as the user that they
say. It watches nothing and starts nothing again."""
import glob
import os
import pwd
import re
import shlex
import signal
import subprocess
import sys
import time

NOTES = "/run/units/"


def unit(name):
    """The name in full, and the lines of its file and of what is edited in."""
    name += "" if re.search(r"\.(service|timer)$", name) else ".service"
    prefix, _, instance = name.rpartition(".")[0].partition("@")
    for folder in ("/etc/systemd/system/", "/lib/systemd/system/"):
        for path in (folder + name, folder + re.sub("@[^.]*", "@", name)):
            if os.path.exists(path):
                lines = []
                for one in [path, *sorted(glob.glob(f"{folder}{name}.d/*.conf"))]:
                    with open(one, encoding="utf-8") as file:
                        lines += [line.strip() for line in file if "=" in line and not line.startswith("#")]
                pairs = [line.split("=", 1) for line in lines]
                for mark, text in (("%i", instance), ("%p", prefix), ("%H", os.uname()[1])):
                    pairs = [(key, value.replace(mark, text)) for key, value in pairs]
                return name, pairs
    sys.exit(f"Unit {name} not found.")


def start(name):
    """Starts a service; a timer is only looked at."""
    name, pairs = unit(name)
    if name.endswith(".timer"):
        return

    def values(key):
        return [value for found, value in pairs if found == key]

    settings = dict(os.environ)
    words = [word for value in values("Environment") for word in shlex.split(value)]
    for path in values("EnvironmentFile"):
        if os.path.exists(path.lstrip("-").replace("%p", name.partition(".")[0])):
            with open(path.lstrip("-"), encoding="utf-8") as file:
                words += [line.strip() for line in file if "=" in line and not line.startswith("#")]
    settings.update(word.split("=", 1) for word in words)
    user = pwd.getpwnam((values("User") or ["root"])[0])
    settings["HOME"] = user.pw_dir
    for folder in [*("/run/" + one for one in values("RuntimeDirectory")), *("/var/lib/" + one for one in values("StateDirectory"))]:
        os.makedirs(folder, exist_ok=True)
        os.chown(folder, user.pw_uid, user.pw_gid)
    as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}

    def split(value):
        return [word for word in (re.sub(r"\$\{?(\w+)\}?", lambda m: settings.get(m[1], ""), w) for w in shlex.split(value)) if word]

    for value in values("ExecStartPre"):
        marks = re.match("[-+!@:]*", value)[0]
        command = split(value[len(marks):])
        if "-" in marks and not os.path.exists(command[0]):
            continue
        done = subprocess.run(command, env=settings, check=False, **({} if "+" in marks else as_user))
        if done.returncode and "-" not in marks:
            sys.exit(f"{name}: {command} failed")
    mask = int(values("UMask")[0], 8) if values("UMask") else 0o022
    path = f"/var/log/{name}.log"
    with open(path, "ab") as log:
        process = subprocess.Popen(split(values("ExecStart")[-1]), env=settings, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                   start_new_session=True, cwd="/", umask=mask, **as_user)
    os.makedirs(NOTES, exist_ok=True)
    with open(NOTES + name, "w", encoding="utf-8") as file:
        file.write(str(process.pid))
    if "oneshot" in values("Type"):
        sys.exit(process.wait())
    time.sleep(1)
    if process.poll() is not None:
        with open(path, encoding="utf-8", errors="replace") as file:
            sys.exit(f"{name} ended with {process.returncode}: {file.read()[-1500:]}")


def stop(name, number=signal.SIGTERM):
    """Ends the main process of a service."""
    try:
        with open(NOTES + unit(name)[0], encoding="utf-8") as file:
            pid = int(file.read())
        os.kill(pid, number)
    except (OSError, ProcessLookupError):
        return
    for _ in range(600):
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except OSError:
            return
        time.sleep(0.1)


def main():
    """The verbs that the handbook uses."""
    flags = [word for word in sys.argv[1:] if word.startswith("-")]
    verb, *names = [word for word in sys.argv[1:] if not word.startswith("-")]
    for name in names:
        if verb in ("stop", "restart"):
            stop(name)
        if verb in ("start", "restart") or (verb == "enable" and "--now" in flags):
            start(name)
    if verb not in ("start", "stop", "restart", "enable", "disable", "daemon-reload"):
        sys.exit(f"the stand-in does not know {verb}")


main()
