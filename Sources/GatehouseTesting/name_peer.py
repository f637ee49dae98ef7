# A name server for tests: Debian's Python with dnslib, over UDP on a free loopback port. It holds the TXT records that it is told of and
# fails as it is told. It ends when its standard input does. First line in: the configuration.
import json
import socket
import sys
import threading

config = json.loads(sys.stdin.readline())
sys.path.insert(0, config["packages"])

import dnslib  # noqa: E402

records = {}
server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
server.bind(("127.0.0.1", 0))


def tell(event):
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def answer(data):
    request = dnslib.DNSRecord.parse(data)
    name = str(request.q.qname).rstrip(".")
    tell({"event": "asked", "name": name})
    record = records.get(name)
    reply = request.reply()
    if record is None:
        reply.header.rcode = dnslib.RCODE.NXDOMAIN
        return reply.pack()
    fault = record.get("fault")
    if fault == "silent":
        return None
    for text in record["texts"]:
        parts = [text[at:at + 255].encode() for at in range(0, len(text), 255)]
        reply.add_answer(dnslib.RR(name, dnslib.QTYPE.TXT, rdata=dnslib.TXT(parts), ttl=0))
    if fault == "truncated":
        reply.header.tc = 1
    packed = reply.pack()
    # A record whose announced length goes beyond the message.
    return packed[:-3] if fault == "short" else packed


def serve():
    while True:
        data, client = server.recvfrom(4096)
        packed = answer(data)
        if packed is not None:
            server.sendto(packed, client)


threading.Thread(target=serve, daemon=True).start()
tell({"event": "ready", "port": server.getsockname()[1]})
for line in sys.stdin:
    command = json.loads(line)
    records[command["name"]] = command
    tell({"event": "set"})
