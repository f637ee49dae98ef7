import Foundation
import Glibc
import Testing

@testable import GatehouseRuntime

private let request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

@Suite("A new server takes over from an old one", .serialized)
struct RestartTests {
  @Test("while it hands its port over, a server takes no new client, accepts those waiting and serves as before")
  func handover() throws {
    let server = try SteppedServer(sharesPort: true)
    let waiting = try RawClient(server.address)
    // The connection waits to be accepted: the kernel made it, the loop has not turned.
    var listening = pollfd(fd: server.listener, events: Int16(POLLIN), revents: 0)
    try #require(poll(&listening, 1, 10_000) == 1)
    let kept = try server.connect()
    server.drain(within: .seconds(10))
    let unheard = try Knock(server.address)
    server.pass(.seconds(0.4))
    #expect(!unheard.isDecided)
    waiting.send(request)
    kept.send(request)
    server.settle()
    #expect(try waiting.receive().headers["connection"] == nil)
    #expect(!kept.received().contains("\r\nconnection: "))
    server.pass(.seconds(0.2))
    kept.send(request)
    waiting.send(request)
    server.settle()
    #expect(kept.received().contains("\r\nconnection: close\r\n"))
    #expect(try waiting.receive().headers["connection"] == "close")
    kept.finishWriting()
    waiting.finishWriting()
    server.pass(.seconds(3))
    #expect(server.cutAnswers == 0)
  }

  @Test("without a shared port a drain closes the listener at once, and a second server is refused")
  func alone() throws {
    let server = try SteppedServer()
    #expect(throws: ListenError.self) { try ListeningSockets(server.address, count: 1) }
    server.drain(within: .seconds(10))
    #expect(throws: (any Error).self) { try RawClient(server.address) }
    #expect(server.cutAnswers == 0)
  }

  @Test("servers follow one another under load, and no request fails")
  func rolling() async throws {
    var limits = HTTPLimits()
    limits.handover = .milliseconds(5)
    var old = try Generation(.tcp(host: "127.0.0.1", port: 0), limits)
    let load = Load(old.server.address)
    for _ in 0..<10 {
      await load.reached(load.answered + 200)
      let new = try Generation(old.server.address, limits)
      let cut = try await old.end()
      #expect(cut == 0)
      old = new
    }
    await load.reached(load.answered + 200)
    let failures = await load.end()
    #expect(failures == [])
    _ = try await old.end()
  }
}

/// One server with loops of its own, as a process of its own would have.
private struct Generation {
  let loops = LoopGroup(count: 2)
  let server: HTTPServer

  init(_ address: ListenAddress, _ limits: HTTPLimits) throws {
    server = try HTTPServer(loops: loops, address: address, sharesPort: true, limits: limits) { _ in .text("served") }
    loops.start()
  }

  func end() async throws -> Int {
    let cut = await server.drain(within: .seconds(10))
    try loops.stop()
    return cut
  }
}

/// Clients on threads of their own, some of whom keep their connection and some of whom do not.
private final class Load: Sendable {
  private struct State {
    var answered = 0
    var failures: [String] = []
    var isOver = false
    var running = 0
    var waiting: (count: Int, continuation: UnsafeContinuation<Void, Never>)?
    var ended: UnsafeContinuation<Void, Never>?
  }
  private let state = Locked(State())
  private let address: ListenAddress

  init(_ address: ListenAddress) {
    self.address = address
    state.withLock { $0.running = 6 }
    for number in 0..<6 { Thread.detachNewThread { [self] in run(keeps: number < 4) } }
  }

  var answered: Int { state.withLock { $0.answered } }

  /// Returns once so many requests were answered, or the load broke off.
  func reached(_ count: Int) async {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let isReached = state.withLock { state in
        if state.answered >= count || state.running == 0 { return true }
        state.waiting = (count, continuation)
        return false
      }
      if isReached { continuation.resume() }
    }
  }

  /// Ends the clients; what failed.
  func end() async -> [String] {
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      let isEnded = state.withLock { state in
        state.isOver = true
        state.ended = continuation
        return state.running == 0
      }
      if isEnded { continuation.resume() }
    }
    return state.withLock { $0.failures }
  }

  private func run(keeps: Bool) {
    var client: RawClient?
    while !state.withLock({ $0.isOver }) {
      do {
        let used = try client ?? RawClient(address)
        used.send(request)
        let answer = try used.receive()
        guard answer.body == "served" else { throw RawClient.NoAnswer(why: "answered \(answer)") }
        client = keeps && answer.headers["connection"] == nil ? used : nil
        note(nil)
      } catch {
        note("\(error)")
        break
      }
    }
    let resumed = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return [UnsafeContinuation<Void, Never>]() }
      defer { (state.waiting, state.ended) = (nil, nil) }
      return [state.waiting?.continuation, state.isOver ? state.ended : nil].compactMap { $0 }
    }
    for continuation in resumed { continuation.resume() }
  }

  private func note(_ failure: String?) {
    let resumed = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      if let failure { state.failures.append(failure) } else { state.answered += 1 }
      guard let waiting = state.waiting, state.answered >= waiting.count else { return nil }
      state.waiting = nil
      return waiting.continuation
    }
    resumed?.resume()
  }
}

/// An attempt to connect that does not wait.
private final class Knock {
  private let descriptor: Int32

  init(_ address: ListenAddress) throws {
    guard case .tcp(let host, let port) = address else { throw RawClient.NoAnswer(why: "no port") }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var target = sockaddr_in()
    target.sin_family = sa_family_t(AF_INET)
    target.sin_port = port.bigEndian
    inet_pton(AF_INET, host, &target.sin_addr)
    let answer = withUnsafePointer(to: &target) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard answer != 0, errno == EINPROGRESS else { throw RawClient.NoAnswer(why: "connect: \(answer) \(errno)") }
  }

  deinit { close(descriptor) }

  /// Whether the attempt has come to an end, good or bad.
  var isDecided: Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&poller, 1, 0) == 1
  }
}
