# A foreign HTTPS server for tests: Python's own http.server and ssl on a free loopback port. Reads commands and writes
# events as JSON, one a line; ends when its standard input does. First line in: the configuration.
import base64
import http.server
import json
import os
import socket
import ssl
import struct
import sys
import threading
import urllib.parse

output = threading.Lock()
answers = {}
raws = {}
held = threading.Event()


def say(event):
    with output:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        say({
            "event": "request", "method": self.command, "path": self.path, "headers": self.headers.items(),
            "body": base64.b64encode(body).decode(), "peer": self.client_address[1],
        })
        path = self.path.split("?")[0]
        scripted = answers.get(path)
        if scripted:
            answer = scripted[0] if scripted[0].get("times") is None else scripted.pop(0)
            return self.give(answer["status"], answer.get("headers") or {}, base64.b64decode(answer.get("body") or ""))
        if path in raws:
            how = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query, keep_blank_values=True)
            return self.give_raw(raws[path], how)
        trick = getattr(self, "trick_" + path.strip("/").replace("-", "_"), None)
        if trick:
            return trick()
        self.give(200, {"X-Seen": path}, body or b"ok")

    do_HEAD = do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer

    def give(self, status, headers, body):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def raw(self, data):
        self.close_connection = True
        self.wfile.write(data)
        self.wfile.flush()

    def give_raw(self, data, how):
        """Bytes as they were given: so many (cut), one at a time (drip); then an end, by a reset where that is said."""
        data = data[:int(how["cut"][0])] if "cut" in how else data
        for piece in [data[n:n + 1] for n in range(len(data))] if "drip" in how else [data]:
            self.raw(piece)
            if "drip" in how:
                held.wait(0.02)
        if "reset" in how:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            os.close(self.connection.detach())

    def trick_watched(self):
        self.close_connection = True
        self.rfile.read()

    def trick_later(self):
        held.wait(0.03)
        self.give(200, {}, b"later")

    def trick_silent(self):
        self.close_connection = True
        held.wait()

    def trick_drip(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while not held.wait(0.05):
            self.raw(b"x")

    def trick_endless(self):
        self.raw(b"HTTP/1.1 200 OK\r\n\r\n")
        while not held.is_set():
            self.raw(b"x" * 65536)

    def trick_announced(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\n")
        held.wait()

    def trick_headers(self):
        self.raw(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (n, b"y" * 200) for n in range(1000)))
        held.wait()

    def trick_interim(self):
        while not held.is_set():
            self.raw(b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" * 100)

    def trick_garbage(self):
        self.raw(b"\x00\xff\x10 what would you like?\r\n\r\n")

    def trick_short(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this")

    def trick_nothing(self):
        self.close_connection = True

    def trick_compressed(self):
        self.raw(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nbomb")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    context = None

    def get_request(self):
        connection, address = super().get_request()
        say({"event": "connection", "peer": address[1]})
        return connection, address

    def finish_request(self, request, client_address):
        try:
            if self.context:
                request = self.context.wrap_socket(request, server_side=True)
            super().finish_request(request, client_address)
            request.close()
        except (OSError, ssl.SSLError):
            pass
        finally:
            say({"event": "left", "peer": client_address[1]})

    def handle_error(self, *_):
        pass


class Server6(Server):
    address_family = socket.AF_INET6


config = json.loads(sys.stdin.readline())
server = (Server6 if ":" in config["address"] else Server)((config["address"], config.get("port") or 0), Handler)
if config.get("certificate"):
    server.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.context.load_cert_chain(config["certificate"], config["key"])
threading.Thread(target=server.serve_forever, daemon=True).start()
say({"event": "ready", "port": server.server_address[1]})
for line in sys.stdin:
    command = json.loads(line)
    if command.get("raw") is not None:
        raws[command["path"]] = base64.b64decode(command["raw"])
        say({"event": "scripted"})
        continue
    scripts = answers.setdefault(command["path"], [])
    if command.get("status") is None:
        scripts.clear()
    elif command.get("times") is None:
        scripts[:] = [command]
    else:
        scripts.extend([command] * command["times"])
    say({"event": "scripted"})
held.set()
with output:
    os._exit(0)
