"""Opens pages of `obmc --graph` in a headless Chromium and uses them as a reader would.

    browser.py CHROMIUM small.html safe.html big.html FOLDER-FOR-SCREENSHOTS

Speaks the DevTools protocol over a pipe (file descriptors 3 and 4, JSON ended by a zero byte), so
that nothing but Python's standard library is needed. Exits with 1 and a message if something is wrong.
"""
import base64, collections, json, os, struct, subprocess, sys, tempfile, zlib


class Browser:
    def __init__(self, program):
        self.to_browser, into = os.pipe()
        self.out, from_browser = os.pipe()
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        os.set_inheritable(self.to_browser, True)
        os.set_inheritable(from_browser, True)
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                 "--no-first-run", "--disable-background-networking", "--remote-debugging-pipe",
                 f"--user-data-dir={self.profile.name}", "about:blank"]
        reads, writes = self.to_browser, from_browser
        command = f'exec "$@" 3<&{reads} 4>&{writes}'
        self.process = subprocess.Popen(["/bin/sh", "-c", command, "sh", program, *flags],
                                        pass_fds=(reads, writes), stderr=subprocess.DEVNULL)
        os.close(reads)
        os.close(writes)
        self.into, self.buffer, self.number, self.session = into, b"", 0, None
        self.problems, self.loaded = [], False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.out, 1 << 16)
            if not part:
                raise SystemExit("the browser has gone away")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.problems.append(params["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.problems.append(str(params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.problems.append(params["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True
        return message

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.into, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise SystemExit(f"{method}: {answer['error']}")
                return answer["result"]

    def open(self, path, width=1600, height=900, dark=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.loaded = False
        self.call("Page.navigate", url=f"file://{os.path.abspath(path)}")
        while not self.loaded:
            self.receive()
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise SystemExit(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        text = key if len(key) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **({"text": text} if kind == "keyDown" and text else {}))

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(self.capture())

    def capture(self, **area):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", **area)["data"])

    def close(self):
        os.close(self.into)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.profile.cleanup()


class Image:
    """A PNG of 8-bit RGB or RGBA without interlacing, which is what Chromium writes."""

    def __init__(self, data):
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            body = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, _, colour = struct.unpack(">IIBB", body[:10])
                self.depth = {2: 3, 6: 4}[colour]
            elif kind == b"IDAT":
                packed += body
            at += 12 + length
        raw, stride, before = zlib.decompress(packed), self.width * self.depth, None
        self.rows = []
        for y in range(self.height):
            kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            before = self.unfilter(kind, line, before or bytearray(stride))
            self.rows.append(before)

    def unfilter(self, kind, line, up):
        depth = self.depth
        if kind == 0:
            return line
        for i in range(len(line)):
            left = line[i - depth] if i >= depth else 0
            if kind == 1:
                guess = left
            elif kind == 2:
                guess = up[i]
            elif kind == 3:
                guess = (left + up[i]) // 2
            else:
                corner = up[i - depth] if i >= depth else 0
                sum_ = left + up[i] - corner
                a, b, c = abs(sum_ - left), abs(sum_ - up[i]), abs(sum_ - corner)
                guess = left if a <= b and a <= c else up[i] if b <= c else corner
            line[i] = (line[i] + guess) & 255
        return line

    def colours(self):
        """How often each colour is there, the most frequent first."""
        pixels = (bytes(row[i:i + 3]) for row in self.rows for i in range(0, len(row), self.depth))
        return collections.Counter(pixels).most_common()


def check(value, what):
    if not value:
        raise SystemExit(f"wrong: {what}")


CURRENT = "Number(document.querySelector('.box[aria-selected=true]').id.slice(1))"
# The part of the lanes around the current event: small, since Python takes its time with pixels.
NEAR = """(() => {
  const lanes = document.getElementById('graph').getBoundingClientRect();
  const box = document.querySelector('.box[aria-selected=true]').getBoundingClientRect();
  return { x: lanes.x, y: Math.max(lanes.y, box.bottom - 190), width: Math.min(300, lanes.width), height: 200, scale: 1 };
})()"""
PATHS = "document.querySelectorAll('#edges > path.%s').length"


def steps(browser, path):
    """A small execution: stepping, switching edges, source in sync."""
    browser.open(path)
    check(browser.evaluate("document.querySelector('#answer').textContent") == "UNSAFE", "the answer is on the page")
    check(browser.evaluate("document.querySelector('.box[aria-selected=true]').classList.contains('wrong')"), "starts at what is wrong")
    last = browser.evaluate(CURRENT)
    browser.press("Home")
    check(browser.evaluate(CURRENT) == 0, "Home goes to the first event")
    line = browser.evaluate("document.querySelector('.row.here .n').textContent")
    seen = [line]
    for _ in range(last):
        before = browser.evaluate(CURRENT)
        browser.press("ArrowDown")
        check(browser.evaluate(CURRENT) == before + 1, "down goes to the next event")
        seen.append(browser.evaluate("document.querySelector('.row.here .n').textContent"))
    check(len(set(seen)) > 4, "the source goes along")
    browser.press("k")
    check(browser.evaluate(CURRENT) == last - 1, "k goes back")
    browser.press("r")
    check(browser.evaluate("document.querySelector('.box[aria-selected=true]').classList.contains('write')"), "r goes to the write that was read")
    check("counter" in browser.evaluate("document.querySelector('#values').textContent"), "values of shared variables")
    for key, css in (("1", "po"), ("2", "rf"), ("3", "ws"), ("4", "fr"), ("5", "threads")):
        check(browser.evaluate(PATHS % css) > 0, f"{css} edges are drawn")
        browser.press(key)
        check(browser.evaluate(PATHS % css) == 0, f"{css} edges can be switched off")
        browser.press(key)
        check(browser.evaluate(PATHS % css) > 0, f"{css} edges can be switched on")
    browser.evaluate("document.getElementById('kind-local').click()")
    check(browser.evaluate("document.querySelectorAll('.box.local').length") == 0, "local steps can be hidden")
    browser.press("t")
    check(browser.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark", "t is for dark")
    browser.press("?")
    check(browser.evaluate("document.getElementById('help').open"), "? shows the keys")


def looks(browser, path, folder, name):
    """Light and dark, narrow and wide: something is to be seen and nothing sticks out."""
    for width, height in ((400, 800), (1600, 900)):
        for dark in (False, True):
            browser.open(path, width, height, dark)
            browser.screenshot(os.path.join(folder, f"{name}-{width}-{'dark' if dark else 'light'}.png"))
            colours = Image(browser.capture(clip=browser.evaluate(NEAR))).colours()
            check(len(colours) >= 24, f"{name} at {width}: the lanes are drawn")
            check((sum(colours[0][0]) < 384) == dark, f"{name} at {width}: light or dark as wished")
            check(browser.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} at {width}: nothing sticks out")


def large(browser, path):
    """Only what is in sight is in the document, and a step is quick because of that."""
    browser.open(path)
    count = browser.evaluate("Number(document.getElementById('count').textContent.split('/')[1])")
    check(count > 1000, f"{count} events are shown")
    browser.press("Home")
    for key in ("PageDown", "End", "ArrowUp", "ArrowLeft"):
        browser.press(key)
    check(browser.evaluate("document.querySelectorAll('.box').length") < 100, "rows out of sight are not drawn")
    check(browser.evaluate(CURRENT) > 1000, "the end can be reached")


def proof(browser, path):
    """What a proof needs is in a table, and only on a page about one."""
    browser.open(path, 1600, 900)
    check(browser.evaluate("document.querySelectorAll('#proof td.name').length") > 2, "the proof has rows")
    check(browser.evaluate("document.querySelector('#proof').offsetHeight") > 60, "the rows are seen")


def main():
    program, small, safe, big, folder = sys.argv[1:]
    browser = Browser(program)
    try:
        steps(browser, small)
        large(browser, big)
        proof(browser, safe)
        for name, path in (("small", small), ("safe", safe), ("big", big)):
            looks(browser, path, folder, name)
        check(not browser.problems, f"errors on the console: {browser.problems}")
    finally:
        browser.close()


main()
