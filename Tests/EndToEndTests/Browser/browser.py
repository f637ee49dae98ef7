"""Drives headless Chromium over its debugging pipe, with scripts of pages switched off, as a person would.

Standard input: {"width": 390, "height": 844, "dark": false, "language": "es", "steps": [...]}; each step is one of
  {"open": URL}  {"press": SELECTOR}  {"type": TEXT, "into": SELECTOR}  {"key": "Tab"}  {"look": true}  {"picture": PATH}
Standard output: one JSON line for each "look", and at the end one with everything that was asked of the network and
everything the browser complained about.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile

plan = json.load(sys.stdin)
profile = tempfile.TemporaryDirectory(prefix="gatehouse-browser-", ignore_cleanup_errors=True)
to_read, to_write = os.pipe()
from_read, from_write = os.pipe()


def take_pipe():
    # Chromium reads commands from 3 and writes answers to 4.
    high = [os.dup2(to_read, 13), os.dup2(from_write, 14)]
    os.dup2(high[0], 3)
    os.dup2(high[1], 4)


browser = subprocess.Popen(
    ["/usr/bin/chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
     "--remote-debugging-pipe", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
     "--lang=" + plan.get("language", "en"), "--user-data-dir=" + profile.name],
    preexec_fn=take_pipe, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL)
os.close(to_read)
os.close(from_write)
buffer = b""
number = 0
requests, complaints, events = [], [], []


def receive():
    global buffer
    while b"\0" not in buffer:
        part = os.read(from_read, 1 << 16)
        if not part:
            sys.exit("the browser is gone")
        buffer += part
    text, buffer = buffer.split(b"\0", 1)
    message = json.loads(text)
    method, values = message.get("method"), message.get("params", {})
    if method == "Network.requestWillBeSent":
        requests.append({"url": values["request"]["url"], "method": values["request"]["method"],
                         "referer": values["request"]["headers"].get("Referer", "")})
    elif method == "Log.entryAdded":
        complaints.append(values["entry"]["text"])
    elif method:
        events.append(method)
    return message


def ask(method, session=None, **values):
    global number
    number += 1
    command = {"id": number, "method": method, "params": values}
    if session:
        command["sessionId"] = session
    os.write(to_write, json.dumps(command).encode() + b"\0")
    while True:
        message = receive()
        if message.get("id") == number:
            if "error" in message:
                raise RuntimeError(f"{method}: {message['error']}")
            return message["result"]


target = ask("Target.createTarget", url="about:blank")["targetId"]
page = ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
for domain in ["Page", "DOM", "Network", "Log", "Accessibility"]:
    ask(domain + ".enable", page)
ask("Emulation.setScriptExecutionDisabled", page, value=True)
ask("Emulation.setDeviceMetricsOverride", page, width=plan["width"], height=plan["height"], deviceScaleFactor=1,
    mobile=plan["width"] < 600)
ask("Network.setExtraHTTPHeaders", page, headers={"Accept-Language": plan.get("language", "en")})
ask("Emulation.setEmulatedMedia", page, features=[
    {"name": "prefers-color-scheme", "value": "dark" if plan.get("dark") else "light"}])


def loaded(act):
    events.clear()
    act()
    while "Page.loadEventFired" not in events:
        receive()
    # Fields that want the focus get it when the page is drawn.
    ask("Page.captureScreenshot", page, clip={"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1})


def find(selector):
    root = ask("DOM.getDocument", page)["root"]["nodeId"]
    node = ask("DOM.querySelector", page, nodeId=root, selector=selector)["nodeId"]
    if not node:
        raise RuntimeError(f"nothing matches {selector}")
    return node


def click(selector):
    node = find(selector)
    ask("DOM.scrollIntoViewIfNeeded", page, nodeId=node)
    box = ask("DOM.getBoxModel", page, nodeId=node)["model"]["content"]
    x, y = (box[0] + box[4]) / 2, (box[1] + box[5]) / 2
    for kind in ["mousePressed", "mouseReleased"]:
        ask("Input.dispatchMouseEvent", page, type=kind, x=x, y=y, button="left", clickCount=1)


def key(name):
    code = {"Tab": 9, "Enter": 13}[name]
    text = {"Enter": "\r"}.get(name, "")
    ask("Input.dispatchKeyEvent", page, type="keyDown", key=name, code=name, windowsVirtualKeyCode=code, text=text)
    ask("Input.dispatchKeyEvent", page, type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)


def look():
    entry = ask("Page.getNavigationHistory", page)
    nodes = []
    for node in ask("Accessibility.getFullAXTree", page)["nodes"]:
        if node.get("ignored"):
            continue
        found = {"role": node.get("role", {}).get("value", ""), "name": node.get("name", {}).get("value", "")}
        if "description" in node:
            found["description"] = node["description"].get("value", "")
        for item in node.get("properties", []):
            if item["name"] in ("focused", "invalid", "required", "level"):
                found[item["name"]] = str(item["value"].get("value", "")).lower()
        nodes.append(found)
    size = ask("Page.getLayoutMetrics", page)["cssContentSize"]
    html = ask("DOM.getOuterHTML", page, nodeId=ask("DOM.getDocument", page, depth=-1)["root"]["nodeId"])["outerHTML"]
    here = entry["entries"][entry["currentIndex"]]
    print(json.dumps({"url": here["url"], "title": here["title"], "html": html, "nodes": nodes,
                      "width": int(size["width"])}))


try:
    for step in plan["steps"]:
        if "open" in step:
            loaded(lambda: ask("Page.navigate", page, url=step["open"]))
        elif "press" in step:
            loaded(lambda: click(step["press"]))
        elif "type" in step:
            ask("DOM.focus", page, nodeId=find(step["into"]))
            ask("Input.insertText", page, text=step["type"])
        elif "key" in step:
            if step["key"] == "Enter":
                loaded(lambda: key("Enter"))
            else:
                key(step["key"])
        elif "picture" in step:
            data = ask("Page.captureScreenshot", page, captureBeyondViewport=True)["data"]
            with open(step["picture"], "wb") as file:
                file.write(base64.b64decode(data))
        elif "look" in step:
            look()
    print(json.dumps({"requests": requests, "complaints": complaints}))
finally:
    browser.terminate()
    browser.wait(10)
