# An OpenID provider that this project did not write, for tests: oidc-provider-mock, built on Authlib, over HTTPS on a free
# loopback port. It ends when its standard input does. First line in: the configuration.
import json
import ssl
import sys
import threading

config = json.loads(sys.stdin.readline())
sys.path.insert(0, config["packages"])

import oidc_provider_mock  # noqa: E402
import werkzeug.serving  # noqa: E402

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(config["certificate"], config["key"])
server = werkzeug.serving.make_server("127.0.0.1", 0, oidc_provider_mock.app(), threaded=True, ssl_context=context)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdout.write(json.dumps({"event": "ready", "port": server.server_port}) + "\n")
sys.stdout.flush()
sys.stdin.read()
