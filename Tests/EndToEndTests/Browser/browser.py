"""Drives headless Chromium over its debugging pipe, as a person with a keyboard and a mouse would.

Standard input: {"width": 390, "height": 844, "dark": false, "language": "es", "scripts": false, "zoom": 1, "text": 1,
"cookies": true, "trusting": false, "front": {"hosts": [NAME], "port": 8080}, "axe": PATH, "steps": [...]}. Scripts of pages are off unless the plan says
otherwise. `zoom` 2 is the browser's own: half the pixels of CSS, each twice as large. `text` 2 doubles the size of text
in the browser's settings. `trusting` takes every certificate. `front` leads hosts to a server, by TLS, as a reverse proxy does.
Each step is one of
  {"open": URL}  {"reload": true}  {"back": true}       the next page is waited for
  {"press": SELECTOR, "times": 2}                       with the mouse; the next page is waited for
  {"leave": SELECTOR}                                   the same, where the next page is not this server's
  {"touch": SELECTOR}                                   with the mouse, where no page follows
  {"type": TEXT, "into": SELECTOR}  {"type": TEXT}      into a field, or to where the focus is
  {"key": "Tab"}  {"key": "Enter", "loads": true}       Tab, Shift+Tab, Enter, Space, ArrowDown
  {"tabTo": SELECTOR}                                   Tab until it has the focus, which is looked at each time
  {"tab": 1}                                            another tab of this browser; the first one is 0
  {"tab": 0, "loads": true}                             a tab that leads on by itself once it is in front
  {"scripts": true}  {"dark": true}  {"size": [360, 800]}
  {"forced": true}                                      whether the device forces its own few colours
  {"block": ["*.js*"]}                                  addresses that are not fetched
  {"offline": true}                                     whether the network is gone
  {"capsLock": SELECTOR}                                a key in the field while Caps Lock is on
  {"authenticator": true}                               a device with passkeys, which verifies its user or can not
  {"present": false}                                    whether a person answers it
  {"credential": {...}}                                 a passkey that it holds from now on, as CDP describes one
  {"passkeys": true}                                    what it holds: the name of each passkey's owner
  {"holds": [NAME]}                                     until it holds the passkeys of these owners
  {"await": SELECTOR}                                   until it is there
  {"inject": SCRIPT}                                    runs in every page from now on, before the page's own scripts
  {"ask": EXPRESSION}                                   its value in the page's own world, as text
  {"forget": true}                                      all cookies are gone
  {"hold": {NAME: VALUE}, "at": URL}                    cookies, as if that server had set them
  {"look": true}  {"axe": true}  {"overflow": true}  {"focus": true}  {"paint": true}  {"picture": PATH}
Standard output: one JSON line for each look, axe, overflow, focus, paint, tabTo, passkeys and ask, and at the end one
with everything that was asked of the network, everywhere that it led, and everything that the browser complained about.
"""

import base64
import hashlib
import json
import os
import select
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

PATIENCE = 20
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
KEYS = {"Tab": (9, ""), "Enter": (13, "\r"), "Space": (32, " "), "ArrowDown": (40, ""), "ArrowUp": (38, ""),
        "Escape": (27, "")}

# The count of what is left of the fade between two pages.
FADES = """document.getAnimations().filter(({effect}) =>
  effect && (effect.pseudoElement || "").startsWith("::view-transition")).length"""

# Chromium's words for a world whose page is no more.
GONE = "Cannot find context"

# What has the focus, whether a person sees that it has, and whether something lies over it.
FOCUS = """(() => {
  const e = document.activeElement;
  if (!e || e === document.body) {
    return {tag: "", name: "", id: "", text: "", box: [], isVisible: false, isRinged: false, isCovered: false};
  }
  const box = e.getBoundingClientRect(), style = getComputedStyle(e);
  const inside = box.width > 0 && box.height > 0 && box.left > -1 && box.top > -1
    && box.right < innerWidth + 1 && box.top < innerHeight - 1;
  const at = document.elementFromPoint(
    Math.min(innerWidth - 1, Math.max(0, box.left + Math.min(box.width / 2, 12))),
    Math.min(innerHeight - 1, Math.max(0, box.top + Math.min(box.height / 2, 12))));
  return {
    tag: e.localName, name: e.name || "", id: e.id, text: (e.textContent || "").trim().slice(0, 80),
    box: [box.left, box.top, box.width, box.height].map(Math.round), isVisible: inside,
    isRinged: (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2) || style.boxShadow !== "none",
    isCovered: !(at && (at === e || e.contains(at)))};
})()"""

# What is wider than the window, and text that is cut off.
OVERFLOW = """(() => {
  const wide = document.documentElement.clientWidth, found = [];
  const name = e => e.localName + (e.id ? "#" + e.id : "") + ": " + (e.textContent || "").trim().slice(0, 40);
  const hidden = e => e.closest("[aria-hidden=true], [hidden]") || getComputedStyle(e).visibility !== "visible";
  if (document.documentElement.scrollWidth > wide) found.push("the page scrolls sideways");
  for (const e of document.body.querySelectorAll("*")) {
    const box = e.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || hidden(e)) continue;
    if (box.right > wide + 1 || box.left < -1) found.push("outside: " + name(e));
    if (["INPUT", "SELECT", "TEXTAREA", "OPTION"].includes(e.tagName)) continue;
    const style = getComputedStyle(e), cuts = ["hidden", "clip"];
    if ((cuts.includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1)
      || (cuts.includes(style.overflowY) && e.scrollHeight > e.clientHeight + 1)) found.push("cut: " + name(e));
  }
  return {found, text: parseFloat(getComputedStyle(document.body).fontSize)};
})()"""

# Milliseconds from the begin of the navigation to the first text on the screen.
PAINT = """(() => {
  const first = performance.getEntriesByType("paint").find(one => one.name === "first-contentful-paint");
  return first ? first.startTime : null;
})()"""

# Where the device forces its own few colours, the style of an element still tells the colour that the page asked for; the
# contrast is the device's. A page can do wrong there by keeping a colour of its own, so that this is looked for instead.
AXE = """(async forced => {
  const result = await axe.run(document, {runOnly: {type: "tag", values: %s}, resultTypes: ["violations"], preload: false,
    rules: {"color-contrast": {enabled: !forced}}});
  const violations = result.violations.map(one => ({
    id: one.id, help: one.help,
    nodes: one.nodes.map(node => node.target.join(" ") + " " + (node.failureSummary || ""))}));
  const own = [...document.body.querySelectorAll("*")].filter(
    one => forced && getComputedStyle(one).forcedColorAdjust === "none");
  if (own.length) violations.push({
    id: "forced-color-adjust", help: "Elements must take the colours of the device",
    nodes: own.map(one => one.localName + "." + one.getAttribute("class"))});
  return {passes: result.passes.length, violations};
})(matchMedia("(forced-colors: active)").matches)"""

plan = json.load(sys.stdin)
profile = tempfile.TemporaryDirectory(prefix="gatehouse-browser-", ignore_cleanup_errors=True)
keeps_cookies = plan.get("cookies", True)
if not keeps_cookies:
    os.mkdir(os.path.join(profile.name, "Default"))
    with open(os.path.join(profile.name, "Default", "Preferences"), "w", encoding="utf-8") as settings:
        json.dump({"profile": {"default_content_setting_values": {"cookies": 2}}}, settings)


def carry(client, context, port):
    """One connection, from its first byte to its last."""
    try:
        outer, inner = context.wrap_socket(client, server_side=True), socket.create_connection(("127.0.0.1", port))
        while True:
            for one in [outer] if outer.pending() else select.select([outer, inner], [], [])[0]:
                data = one.recv(65536)
                if not data:
                    return
                (inner if one is outer else outer).sendall(data)
    except OSError:
        pass
    finally:
        client.close()


def front(hosts, port):
    """Hosts with TLS before a server; the rules by which the browser finds them, and takes their certificate, also where
    no page asks for it."""
    key = os.path.join(profile.name, "front.pem")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=front", "-addext", "subjectAltName=" + ",".join("DNS:" + host for host in hosts),
         "-keyout", key, "-out", key + ".crt"], check=True, capture_output=True)
    public = subprocess.run(
        ["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"], check=True, capture_output=True).stdout
    pin = base64.b64encode(hashlib.sha256(public).digest()).decode()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(key + ".crt", key)
    listener = socket.create_server(("127.0.0.1", 0))

    def accept():
        while True:
            threading.Thread(target=carry, args=(listener.accept()[0], context, port), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    place = "127.0.0.1:%d" % listener.getsockname()[1]
    return ["--host-resolver-rules=" + ", ".join(f"MAP {host} {place}" for host in hosts),
            "--ignore-certificate-errors-spki-list=" + pin]


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
     "--lang=" + plan.get("language", "en"), "--user-data-dir=" + profile.name]
    + (["--ignore-certificate-errors"] if plan.get("trusting") else [])
    + (front(**plan["front"]) if plan.get("front") else []),
    preexec_fn=take_pipe, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL)
os.close(to_read)
os.close(from_write)
buffer = b""
number = 0
requests, complaints, locations = [], [], []
has_scripts = plan.get("scripts", False)
authenticator = ""


class Tab:
    """One page of the browser: its session, how often it has loaded, and whether it is loading."""

    def __init__(self):
        self.name, self.target, self.session, self.frame = None, "", "", ""
        self.loads, self.loading, self.world, self.has_axe = 0, False, None, False


tabs = {}
tab = Tab()
size = plan["width"], plan["height"]


def receive(patience=PATIENCE):
    """The next message; None where none came in time."""
    global buffer
    end = time.monotonic() + patience
    while b"\0" not in buffer:
        if not select.select([from_read], [], [], max(0, end - time.monotonic()))[0]:
            return None
        part = os.read(from_read, 1 << 16)
        if not part:
            sys.exit("the browser is gone")
        buffer += part
    text, buffer = buffer.split(b"\0", 1)
    message = json.loads(text)
    if "method" in message:
        note(message["method"], message.get("params", {}), tabs.get(message.get("sessionId")))
    return message


def note(method, values, at):
    """Keeps what an event tells."""
    if method == "Network.requestWillBeSent":
        requests.append({"url": values["request"]["url"], "method": values["request"]["method"],
                         "type": values.get("type", ""), "referer": values["request"]["headers"].get("Referer", "")})
    elif method == "Network.responseReceivedExtraInfo":
        for name, value in values.get("headers", {}).items():
            if name.lower() == "location":
                locations.append(value)
    elif method == "Log.entryAdded":
        complaints.append(values["entry"]["text"])
    elif method == "Runtime.consoleAPICalled":
        complaints.append("console: " + " ".join(str(one.get("value", "")) for one in values.get("args", [])))
    elif method == "Runtime.exceptionThrown":
        complaints.append("exception: " + values["exceptionDetails"].get("text", ""))
    elif at is None:
        return
    elif method == "Page.loadEventFired" or (
            method == "Page.frameNavigated" and values.get("type") == "BackForwardCacheRestore"):
        at.loads += 1
    elif method == "Page.frameStartedLoading":
        at.loading = True
    elif method == "Page.frameStoppedLoading":
        at.loading = False
    if method == "Page.frameNavigated":
        at.world, at.has_axe = None, False


def ask(method, session=None, **values):
    global number
    number += 1
    command = {"id": number, "method": method, "params": values}
    if session:
        command["sessionId"] = session
    os.write(to_write, json.dumps(command).encode() + b"\0")
    while True:
        message = receive()
        if message is None:
            raise RuntimeError(f"{method}: no answer")
        if message.get("id") == number:
            if "error" in message:
                raise RuntimeError(f"{method}: {message['error']}")
            return message["result"]


def tell(method, **values):
    """Asks the page that is in front."""
    return ask(method, tab.session, **values)


def until(holds, patience=PATIENCE):
    """Whether something came to hold in time."""
    end = time.monotonic() + patience
    while not holds():
        if time.monotonic() > end:
            return False
        receive(min(0.2, patience))
    return True


def resize(width, height):
    global size
    size = width, height
    zoom = plan.get("zoom", 1)
    tell("Emulation.setDeviceMetricsOverride", width=width // zoom, height=height // zoom, deviceScaleFactor=zoom,
         mobile=width < 600)


def enlarge():
    if plan.get("text", 1) != 1:
        tell("Page.setFontSizes", fontSizes={"standard": int(16 * plan["text"]), "fixed": int(13 * plan["text"])})


def capture():
    """The whole page. Chromium forgets the size of text when it looks beyond the window, so that the window grows then."""
    if plan.get("text", 1) == 1:
        return tell("Page.captureScreenshot", captureBeyondViewport=True)["data"]
    width, height = size
    resize(width, run("document.documentElement.scrollHeight") * plan.get("zoom", 1))
    enlarge()
    data = tell("Page.captureScreenshot")["data"]
    resize(width, height)
    enlarge()
    return data


def light(dark):
    plan["dark"] = dark
    tell("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
        {"name": "forced-colors", "value": "active" if plan.get("forced") else "none"}])


def allow_scripts(allowed):
    tell("Emulation.setScriptExecutionDisabled", value=not allowed)


def show(name):
    """Brings a tab to the front, a new one where there is none of this name."""
    global tab
    known = next((one for one in tabs.values() if one.name == name), None)
    if known is None:
        known = Tab()
        known.name = name
        known.target = ask("Target.createTarget", url="about:blank")["targetId"]
        known.session = ask("Target.attachToTarget", targetId=known.target, flatten=True)["sessionId"]
        tabs[known.session] = tab = known
        # Events of these domains tell what went wrong; `Runtime` only where scripts run.
        for domain in ["Page", "DOM", "Network", "Log", "Accessibility"] + (["Runtime"] if has_scripts else []):
            tell(domain + ".enable")
        known.frame = tell("Page.getFrameTree")["frameTree"]["frame"]["id"]
        allow_scripts(has_scripts)
        resize(plan["width"], plan["height"])
        tell("Network.setExtraHTTPHeaders", headers={"Accept-Language": plan.get("language", "en")})
        light(plan.get("dark"))
        enlarge()
    tab = known
    ask("Target.activateTarget", targetId=known.target)


def loaded(act, where=None):
    """Acts, and waits for the page that comes of it in a tab, and for those that it leads on to by itself."""
    if not keeps_cookies:
        tell("Network.clearBrowserCookies")
    where = where or tab
    before = where.loads
    act()
    if not until(lambda: where.loads > before):
        raise RuntimeError("no page came")
    settle()
    # Fields that want the focus get it when the page is drawn.
    tell("Page.captureScreenshot", clip={"x": 0, "y": 0, "width": 1, "height": 1, "scale": 1})
    # While one page fades into the next, neither is what a person reads.
    until(lambda: run(FADES) == 0, 5)


def settle():
    """Waits while the page leads on to another one by itself."""
    for _ in range(20):
        until(lambda: not tab.loading)
        before = tab.loads
        try:
            text = html()
        except RuntimeError:
            # The page changed while it was read.
            receive(0.2)
            continue
        if 'http-equiv="refresh"' not in text and not tab.loading:
            return
        until(lambda: tab.loads > before, 5)


def html():
    root = tell("DOM.getDocument", depth=-1)["root"]["nodeId"]
    return tell("DOM.getOuterHTML", nodeId=root)["outerHTML"]


def find(selector):
    root = tell("DOM.getDocument")["root"]["nodeId"]
    node = tell("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
    if not node:
        raise RuntimeError(f"nothing matches {selector} at {address()[0]}")
    return node


def address():
    entry = tell("Page.getNavigationHistory")
    here = entry["entries"][entry["currentIndex"]]
    return here["url"], here["title"]


def click(selector, times=1):
    node = find(selector)
    tell("DOM.scrollIntoViewIfNeeded", nodeId=node)
    box = tell("DOM.getContentQuads", nodeId=node)["quads"][0]
    x, y = (box[0] + box[4]) / 2, (box[1] + box[5]) / 2
    for _ in range(times):
        for kind in ["mousePressed", "mouseReleased"]:
            tell("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)


def leave(selector):
    """Presses what leads away from this server: until it is said where to, or the browser refuses to go."""
    known = (len(locations), len(complaints))
    click(selector)
    until(lambda: any(not one.startswith(origin()) and "://" in one for one in locations[known[0]:])
          or any("form-action" in one for one in complaints[known[1]:]), 10)
    # What the browser says of it comes after the answer.
    until(lambda: any("form-action" in one for one in complaints[known[1]:]), 1)


def origin():
    return "/".join(next(one["open"] for one in plan["steps"] if "open" in one).split("/")[:3])


def key(name):
    shifted, _, last = name.rpartition("+")
    code, text = KEYS[last]
    values = {"key": " " if last == "Space" else last, "code": last, "windowsVirtualKeyCode": code,
              "modifiers": 8 if shifted == "Shift" else 0}
    tell("Input.dispatchKeyEvent", type="keyDown", text=text, **values)
    tell("Input.dispatchKeyEvent", type="keyUp", **values)


def run(script, wait=False):
    """The value of a script in a world of its own, which the page's policy does not bind."""
    try:
        result = evaluated(script, wait)
    except RuntimeError as error:
        # The page gave way to another one just then. Nothing ran.
        if GONE not in str(error):
            raise
        tab.world = None
        result = evaluated(script, wait)
    if "exceptionDetails" in result:
        raise RuntimeError(str(result["exceptionDetails"])[:2000])
    return result["result"].get("value")


def evaluated(script, wait):
    if tab.world is None:
        tab.world = tell("Page.createIsolatedWorld", frameId=tab.frame, worldName="test")["executionContextId"]
    return tell("Runtime.evaluate", expression=script, contextId=tab.world, returnByValue=True, awaitPromise=wait)


def passkeys():
    """The names of the owners of the passkeys that the authenticator holds."""
    held = tell("WebAuthn.getCredentials", authenticatorId=authenticator)["credentials"]
    return [one.get("userName", "") for one in held]


def is_there(selector):
    """Whether something matches; nothing does while one page takes the place of another."""
    try:
        return run(f"!!document.querySelector({json.dumps(selector)})")
    except RuntimeError:
        tab.world = None
        return False


def check_with_axe():
    # It waits for its own timers, which come only where scripts may run.
    allow_scripts(True)
    try:
        if tab.world is None or not tab.has_axe:
            with open(plan["axe"], encoding="utf-8") as file:
                run(file.read() + "\n;undefined")
            tab.has_axe = True
        return run(AXE % json.dumps(TAGS), wait=True)
    finally:
        allow_scripts(has_scripts)


def tab_to(selector):
    """Tabs to an element as a person does who sees where the focus is; what was wrong on the way."""
    faults = []
    wanted = json.dumps(selector)
    for count in range(1, 61):
        key("Tab")
        focus = run(FOCUS)
        if focus["tag"]:
            what = f"{focus['tag']} {focus['name'] or focus['text']}"
            faults += [f"{what}: {word}" for word, wrong in [
                ("not in sight", not focus["isVisible"]), ("no ring", not focus["isRinged"]),
                ("covered", focus["isCovered"])] if wrong]
        if run(f"!!document.activeElement && document.activeElement.matches({wanted})"):
            return {"tabs": count, "faults": faults}
    raise RuntimeError(f"no way to {selector} with the keyboard at {address()[0]}")


def look():
    nodes = []
    for node in tell("Accessibility.getFullAXTree")["nodes"]:
        if node.get("ignored"):
            continue
        # A blank at which no line ends is read out like any other.
        name = node.get("name", {}).get("value", "").replace("\u00a0", " ")
        found = {"role": node.get("role", {}).get("value", ""), "name": name}
        if "description" in node:
            found["description"] = node["description"].get("value", "")
        if node.get("value", {}).get("value") is not None:
            found["value"] = str(node["value"]["value"])
        for item in node.get("properties", []):
            if item["name"] in ("focused", "invalid", "required", "level"):
                found[item["name"]] = str(item["value"].get("value", "")).lower()
        nodes.append(found)
    size = tell("Page.getLayoutMetrics")["cssContentSize"]
    url, title = address()
    return {"url": url, "title": title, "html": html(), "nodes": nodes, "width": int(size["width"])}


def back():
    history = tell("Page.getNavigationHistory")
    entry = history["entries"][history["currentIndex"] - 1]
    loaded(lambda: tell("Page.navigateToHistoryEntry", entryId=entry["id"]))


def take(step):
    """One step; what it has to say."""
    global has_scripts, authenticator
    if "open" in step:
        loaded(lambda: tell("Page.navigate", url=step["open"]))
    elif "reload" in step:
        loaded(lambda: tell("Page.reload"))
    elif "back" in step:
        back()
    elif "press" in step:
        loaded(lambda: click(step["press"], step.get("times", 1)))
    elif "leave" in step:
        leave(step["leave"])
    elif "touch" in step:
        click(step["touch"])
    elif "type" in step:
        if "into" in step:
            tell("DOM.focus", nodeId=find(step["into"]))
        write = lambda: tell("Input.insertText", text=step["type"])
        loaded(write) if step.get("loads") else write()
    elif "key" in step:
        if step.get("loads"):
            loaded(lambda: key(step["key"]))
        else:
            key(step["key"])
    elif "tabTo" in step:
        return tab_to(step["tabTo"])
    elif "tab" in step:
        come = lambda: show(step["tab"])
        if step.get("loads"):
            loaded(come, next(one for one in tabs.values() if one.name == step["tab"]))
        else:
            come()
    elif "scripts" in step:
        has_scripts = step["scripts"]
        allow_scripts(has_scripts)
        if has_scripts:
            tell("Runtime.enable")
    elif "dark" in step:
        light(step["dark"])
    elif "forced" in step:
        plan["forced"] = step["forced"]
        light(plan.get("dark"))
    elif "size" in step:
        resize(*step["size"])
    elif "offline" in step:
        tell("Network.emulateNetworkConditions", offline=step["offline"], latency=0, downloadThroughput=-1,
             uploadThroughput=-1)
    elif "capsLock" in step:
        run(f"""document.querySelector({json.dumps(step["capsLock"])}).dispatchEvent(
            new KeyboardEvent("keydown", {{key: "A", modifierCapsLock: true, bubbles: true}}))""")
    elif "authenticator" in step:
        tell("WebAuthn.enable")
        authenticator = tell("WebAuthn.addVirtualAuthenticator", options={
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
            "hasUserVerification": step["authenticator"], "isUserVerified": step["authenticator"],
            "automaticPresenceSimulation": True})["authenticatorId"]
    elif "present" in step:
        tell("WebAuthn.setAutomaticPresenceSimulation", authenticatorId=authenticator, enabled=step["present"])
    elif "credential" in step:
        tell("WebAuthn.addCredential", authenticatorId=authenticator, credential=step["credential"])
    elif "passkeys" in step:
        return {"passkeys": passkeys()}
    elif "holds" in step:
        if not until(lambda: passkeys() == step["holds"]):
            raise RuntimeError(f"the passkeys are {passkeys()} at {address()[0]}")
    elif "inject" in step:
        tell("Page.addScriptToEvaluateOnNewDocument", source=step["inject"])
    elif "ask" in step:
        result = tell("Runtime.evaluate", expression=step["ask"], returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"])[:2000])
        return {"answer": str(result["result"].get("value"))}
    elif "await" in step:
        if not until(lambda: is_there(step["await"])):
            raise RuntimeError(f"{step['await']} did not come at {address()[0]}")
    elif "block" in step:
        tell("Network.setBlockedURLs", urls=step["block"])
    elif "forget" in step:
        tell("Network.clearBrowserCookies")
    elif "hold" in step:
        tell("Network.setCookies", cookies=[
            {"name": name, "value": value, "url": step["at"], "path": "/", "httpOnly": True, "sameSite": "Lax"}
            for name, value in step["hold"].items()])
    elif "look" in step:
        return look()
    elif "axe" in step:
        return check_with_axe()
    elif "overflow" in step:
        return run(OVERFLOW)
    elif "focus" in step:
        return run(FOCUS)
    elif "paint" in step:
        until(lambda: run(PAINT) is not None, 5)
        return {"paint": run(PAINT)}
    elif "picture" in step:
        data = capture()
        os.makedirs(os.path.dirname(step["picture"]), exist_ok=True)
        with open(step["picture"], "wb") as file:
            file.write(base64.b64decode(data))
    else:
        raise RuntimeError(f"no such step: {step}")
    return None


try:
    show(0)
    for step in plan["steps"]:
        said = take(step)
        if said is not None:
            print(json.dumps(said))
    print(json.dumps({"requests": requests, "locations": locations, "complaints": complaints}))
finally:
    browser.terminate()
    browser.wait(10)
