# A real SMTP server for tests: aiosmtpd on a free loopback port. Reads commands and writes events as JSON, one a line; ends
# when its standard input does. First line in: the configuration.
import asyncio
import base64
import email
import email.policy
import html.parser
import json
import re
import ssl
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult


def say(event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


class Page(html.parser.HTMLParser):
    """The words and the links of an HTML part."""

    def __init__(self, source):
        super().__init__()
        self.words = []
        self.links = []
        self.feed(source)

    def handle_data(self, data):
        self.words.append(data)

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if tag == "a" and name == "href"]


def read(content):
    """The message as a mail program sees it: nothing of this is ours."""
    message = email.message_from_bytes(content, policy=email.policy.SMTPUTF8)
    text = message.get_body(("plain",)).get_content()
    page = Page(message.get_body(("html",)).get_content())
    return {
        "headers": [[name, str(value)] for name, value in message.items()],
        "text": text, "html": " ".join(" ".join(page.words).split()),
        "links": re.findall(r"https?://[^\s<>\"]+", text), "hrefs": page.links,
        "codes": re.findall(r"(?m)^\s*([0-9]{6})\s*$", text),
        "defects": [repr(d) for part in message.walk() for d in part.defects]
        + [repr(d) for value in message.values() for d in value.defects],
    }


def read_or_defect(content):
    try:
        return read(content)
    except Exception as error:
        return {"headers": [], "text": "", "html": "", "links": [], "hrefs": [], "codes": [], "defects": [repr(error)]}


class Sink:
    def __init__(self):
        self.lock = threading.Lock()
        self.answers = {}

    def script(self, stage, answer, times):
        with self.lock:
            self.answers.setdefault(stage, []).extend([answer] * times)

    def scripted(self, stage):
        with self.lock:
            waiting = self.answers.get(stage)
            return waiting.pop(0) if waiting else None

    async def handle_MAIL(self, server, session, envelope, address, options):
        answer = self.scripted("mail")
        if answer:
            return answer
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        answer = self.scripted("rcpt")
        if answer:
            return answer
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        answer = self.scripted("data")
        if answer:
            return answer
        login = session.auth_data.login.decode() if session.auth_data else None
        say({
            "event": "message", "from": envelope.mail_from, "to": envelope.rcpt_tos, "tls": server.transport.get_extra_info("sslcontext") is not None,
            "login": login, "peer": session.peer[1], "data": base64.b64encode(envelope.content).decode(),
            "read": read_or_defect(envelope.content),
        })
        return self.scripted("taken") or "250 2.0.0 OK queued"


async def mute(reader, writer):
    await reader.read()


async def main():
    config = json.loads(sys.stdin.readline())
    loop = asyncio.get_running_loop()
    sink = Sink()
    context = None
    if config.get("certificate"):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(config["certificate"], config["key"])

    def authenticate(server, session, envelope, mechanism, data):
        wanted = (config["user"].encode(), config["password"].encode())
        return AuthResult(success=(data.login, data.password) == wanted, handled=False, auth_data=data)

    def protocol():
        return SMTP(
            sink, loop=loop, hostname="sink.test", enable_SMTPUTF8=config.get("smtputf8", True),
            tls_context=context if config["tls"] == "starttls" else None,
            require_starttls=config["tls"] == "starttls",
            authenticator=authenticate if config.get("user") else None,
            auth_required=bool(config.get("user")), auth_require_tls=config["tls"] == "starttls",
        )

    if config.get("silent"):
        server = await asyncio.start_server(mute, "127.0.0.1", 0)
    else:
        server = await loop.create_server(
            protocol, "127.0.0.1", 0, ssl=context if config["tls"] == "implicit" else None)
    say({"event": "ready", "port": server.sockets[0].getsockname()[1]})

    def commands():
        for line in sys.stdin:
            command = json.loads(line)
            if command.get("count"):
                say({"event": "counted"})
                continue
            sink.script(command["stage"], command["answer"], command["times"])
            say({"event": "scripted"})
        loop.call_soon_threadsafe(done.set)

    done = asyncio.Event()
    threading.Thread(target=commands, daemon=True).start()
    await done.wait()


asyncio.run(main())
