import GatehouseTesting
import Glibc
import Testing

@testable import GatehouseRuntime

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite("Listening")
struct ListeningTests {
  @Test(
    "addresses are read and printed", arguments: ["127.0.0.1:80", "0.0.0.0:0", "[::1]:8080", "[::]:65535", "unix:/a b"])
  func addresses(_ text: String) {
    #expect(ListenAddress(text)?.description == text)
  }

  @Test(
    "what is no numeric address is not one",
    arguments: ["", ":80", "127.0.0.1", "127.0.0.1:65536", "127.0.0.1:x", "::1:80", "[127.0.0.1]:80", "a:80", "unix:"])
  func noAddresses(_ text: String) {
    #expect(ListenAddress(text) == nil)
  }

  @Test(
    "a peer on this machine is told from every other",
    arguments: [
      ("127.0.0.1", true), ("127.255.0.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("126.255.255.255", false),
      ("128.0.0.1", false), ("0.0.0.0", false), ("::", false), ("::2", false), ("1::1", false), ("192.0.2.1", false),
    ])
  func loopback(_ address: String, _ isLoopback: Bool) {
    #expect(PeerAddress(address)?.isLoopback == isLoopback)
    #expect(!PeerAddress.unix.isLoopback)
  }

  @Test("all loops share the port the system chose")
  func sharedPort() async throws {
    let seen = Locked<Set<String>>([])
    let handler: Handler = { _ in
      seen.withLock { _ = $0.insert(Loop.current.map { "\(ObjectIdentifier($0))" } ?? "none") }
      return .text("")
    }
    try await withServer(loops: 3, handler: handler) { running in
      #expect(running.address.port != 0)
      // Which loop gets a connection is the kernel's choice by hash: 200 all on one of three would be 3 ^ -199.
      for _ in 0..<200 {
        let client = try running.client()
        client.send(request)
        #expect(try client.receive().status == 200)
      }
    }
    #expect(seen.withLock { $0.count } > 1)
  }

  @Test("an address in use is an error that names it, and free again after a drain", arguments: [1, 2])
  func taken(loops: Int) async throws {
    let address = try await withServer(loops: loops) { running in
      #expect(throws: ListenError(address: running.address, reason: .taken)) {
        try HTTPServer(loops: running.loops, address: running.address) { _ in .noContent }
      }
      #expect("\(ListenError(address: running.address, reason: .taken))" == "\(running.address) is already in use")
      return running.address
    }
    try await withServer(loops: loops, at: address) { #expect($0.address == address) }
  }

  @Test("a unix socket is served, its stale file replaced, another file left alone")
  func unix() async throws {
    let path = TestFolder.path("socket")
    let address = ListenAddress.unix(path: path)
    for _ in 0..<2 {
      try await withServer(loops: 2, at: address, handler: { .text($0.peer.description) }) { running in
        let client = try running.client()
        client.send(request)
        #expect(try client.receive().body == "unix")
        #expect(throws: ListenError(address: address, reason: .taken)) {
          try HTTPServer(loops: running.loops, address: address) { _ in .noContent }
        }
      }
      #expect(access(path, F_OK) != 0)
      // What a killed server leaves behind.
      _ = try ListeningSockets(address, count: 1).descriptors.map { close($0) }
      #expect(access(path, F_OK) == 0)
    }
    unlink(path)
    close(open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(throws: ListenError.self) { try ListeningSockets(address, count: 1) }
    #expect(access(path, F_OK) == 0)
  }

  @Test("IPv6 is served, and IPv4 through it is told as IPv4", arguments: ["::1", "127.0.0.1"])
  func ipv6(from host: String) async throws {
    try await withServer(at: .tcp(host: "::", port: 0), handler: { .text($0.peer.address) }) { running in
      let client = try RawClient(.tcp(host: host, port: running.address.port ?? 0))
      client.send(request)
      #expect(try client.receive().body == host)
    }
  }
}

@Suite("Peer addresses")
struct PeerAddressTests {
  @Test(
    "addresses are read, folded and printed",
    arguments: [
      ("192.0.2.1", "192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1", "192.0.2.1"),
      ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("::1", "::1", "::"),
    ])
  func addresses(_ text: String, _ address: String, _ network: String) {
    #expect(PeerAddress(text)?.address == address)
    #expect(PeerAddress(text, port: 9)?.network.address == network)
    #expect(PeerAddress(text, port: 9)?.network.port == 0)
  }

  @Test(
    "an invalid address is refused", arguments: ["", "192.0.2", "192.0.2.1 ", "192.0.02.1x", "localhost", "1.2.3.4:5"])
  func none(_ text: String) { #expect(PeerAddress(text) == nil) }
}
