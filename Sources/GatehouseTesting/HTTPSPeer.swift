import Foundation
import GatehousePrimitives

/// Somebody else's HTTPS server on a free loopback port: Python's http.server and ssl in a child process, with a certificate made
/// by openssl. It keeps what it was asked, answers as it is told, and misbehaves at some paths (`/silent`, `/drip`, `/endless`,
/// `/announced`, `/headers`, `/interim`, `/garbage`, `/short`, `/nothing`, `/compressed`). It ends with this object.
package final class HTTPSPeer: Sendable {
  /// One request as the peer saw it.
  package struct Received: Sendable {
    package let method: String
    package let path: String
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]
    /// The client's port: equal for requests of one connection.
    package let peer: Int

    /// The first field of this name, compared without case.
    package func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
  }

  package let port: UInt16
  /// The PEM file a client must trust; nil without TLS.
  package let certificate: String?
  private let child: Child

  private init(port: UInt16, certificate: String?, child: Child) {
    self.port = port
    self.certificate = certificate
    self.child = child
  }

  deinit { child.stop() }

  /// Starts a peer and returns when it listens. `names` is the certificate's subjectAltName.
  package static func start(
    tls: Bool = true, names: String = "DNS:localhost,IP:127.0.0.1,IP:::1", address: String = "127.0.0.1",
    port: UInt16 = 0
  ) async throws -> HTTPSPeer {
    let child = try Child(tls: tls, names: names, address: address, port: port)
    do {
      let ready = try await child.box.next("ready", within: 20)
      guard let text = ready["port"] as? Int, let port = UInt16(exactly: text) else { throw PeerError.ended }
      return HTTPSPeer(port: port, certificate: child.certificate, child: child)
    } catch {
      child.stop()
      throw error
    }
  }

  /// The URL of a path, at `localhost` unless another host is named.
  package func url(_ path: String, host: String = "localhost") -> String {
    "\(certificate == nil ? "http" : "https")://\(host):\(port)\(path)"
  }

  /// Answers `path` so, `times` times and then as usual again; always when nil.
  package func answer(
    _ path: String, _ status: Int, headers: [String: String] = [:], body: String = "", times: Int? = nil
  ) async throws {
    var command: [String: any Sendable] = [
      "path": path, "status": status, "headers": headers, "body": Data(body.utf8).base64EncodedString(),
    ]
    command["times"] = times
    try child.send(command)
    _ = try await child.box.next("scripted", within: 20)
  }

  /// The next request nobody was given yet; waits for it, and throws after `seconds`.
  package func next(within seconds: Double = 20) async throws -> Received {
    let event = try await child.box.next("request", within: seconds)
    let fields = (event["headers"] as? [any Sendable] ?? []).compactMap { $0 as? [any Sendable] }
    return Received(
      method: event["method"] as? String ?? "", path: event["path"] as? String ?? "",
      headers: fields.compactMap { field in
        guard field.count == 2, let name = field[0] as? String, let value = field[1] as? String else { return nil }
        return (name, value)
      }, body: Array(Data(base64Encoded: event["body"] as? String ?? "") ?? Data()), peer: event["peer"] as? Int ?? 0)
  }

  /// How many requests wait to be asked for.
  package var waiting: Int { child.box.count("request") }

  /// How many connections it has accepted, with or without a request on them.
  package var connections: Int { child.box.count("connection") }

  package enum PeerError: Error {
    case ended
    case timeout(String)
    case certificate
  }
}

extension HTTPSPeer {
  /// The child process and the thread that reads its events.
  private final class Child: Sendable {
    let box = Box()
    let certificate: String?
    private let directory: String?
    private let process = Process()
    private let input = Pipe()

    init(tls: Bool, names: String, address: String, port: UInt16) throws {
      directory = tls ? try TestCertificate.make(names) : nil
      certificate = directory.map { "\($0)/cert.pem" }
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
      process.arguments = ["-I", "-c", String(decoding: PackageResources.https_peer_py, as: UTF8.self)]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      let (box, events) = (box, output.fileHandleForReading)
      Thread.detachNewThread { Self.read(events, into: box) }
      var configuration: [String: any Sendable] = ["address": address, "port": Int(port)]
      configuration["certificate"] = certificate
      configuration["key"] = directory.map { "\($0)/key.pem" }
      try send(configuration)
    }

    func stop() {
      try? input.fileHandleForWriting.close()
      if process.isRunning { process.terminate() }
      if let directory { try? FileManager.default.removeItem(atPath: directory) }
    }

    func send(_ command: [String: any Sendable]) throws {
      try input.fileHandleForWriting.write(
        contentsOf: try JSONSerialization.data(withJSONObject: command) + Data([0x0a]))
    }

    private static func read(_ events: FileHandle, into box: Box) {
      var buffer = Data()
      while true {
        let data = events.availableData
        if data.isEmpty { break }
        buffer += data
        while let end = buffer.firstIndex(of: 0x0a) {
          box.put(Data(buffer[..<end]))
          buffer = Data(buffer[buffer.index(after: end)...])
        }
      }
      box.end()
    }
  }

  /// What the child said and who waits for it.
  private final class Box: Sendable {
    typealias Event = [String: any Sendable]
    private typealias Waiter = (id: Int, name: String, resume: @Sendable (Result<Event, PeerError>) -> Void)

    private struct State {
      var events: [(name: String, event: Event)] = []
      var waiters: [Waiter] = []
      var ended = false
      var lastID = 0
    }

    private let state = LockBox(State())

    func count(_ name: String) -> Int { state.withLock { $0.events.count { $0.name == name } } }

    func put(_ line: Data) {
      guard let event = (try? JSONSerialization.jsonObject(with: line)) as? Event, let name = event["event"] as? String
      else { return }
      let waiter: Waiter? = state.withLock { state in
        guard let index = state.waiters.firstIndex(where: { $0.name == name }) else {
          state.events.append((name, event))
          return nil
        }
        return state.waiters.remove(at: index)
      }
      waiter?.resume(.success(event))
    }

    func end() {
      let waiters = state.withLock { state in
        state.ended = true
        defer { state.waiters = [] }
        return state.waiters
      }
      for waiter in waiters { waiter.resume(.failure(.ended)) }
    }

    func next(_ name: String, within seconds: Double) async throws -> Event {
      try await withCheckedThrowingContinuation { continuation in
        let found: Result<Event, PeerError>? = state.withLock { state in
          if let index = state.events.firstIndex(where: { $0.name == name }) {
            return .success(state.events.remove(at: index).event)
          }
          if state.ended { return .failure(.ended) }
          state.lastID += 1
          let id = state.lastID
          state.waiters.append((id, name, { continuation.resume(with: $0) }))
          DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in giveUp(id, name) }
          return nil
        }
        if let found { continuation.resume(with: found) }
      }
    }

    private func giveUp(_ id: Int, _ name: String) {
      let waiter = state.withLock { state in
        let index = state.waiters.firstIndex { $0.id == id }
        return index.map { state.waiters.remove(at: $0) }
      }
      waiter?.resume(.failure(.timeout("no \(name)")))
    }
  }
}

/// Certificates made by openssl.
package enum TestCertificate {
  /// A key (`key.pem`) and a certificate signed by itself (`cert.pem`), in a new directory. `names` is its subjectAltName.
  package static func make(_ names: String, days: Int = 2) throws -> String {
    let directory = NSTemporaryDirectory() + "gatehouse-certificate-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openssl.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "\(days)", "-subj",
      "/CN=test", "-addext", "subjectAltName=\(names)", "-keyout", "\(directory)/key.pem",
      "-out", "\(directory)/cert.pem",
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    guard openssl.terminationStatus == 0 else { throw HTTPSPeer.PeerError.certificate }
    return directory
  }
}
