import Foundation
import GatehousePrimitives

/// A peer as a child process: commands go in and events come out as JSON, one a line. A thread reads the events.
package final class PeerProcess: Sendable {
  package enum PeerError: Error {
    case ended
    case timeout(String)
    case certificate
  }

  package let box = PeerBox()
  package let certificate: String?
  private let directory: String?
  private let process = Process()
  private let input = Pipe()

  /// Starts `script`, with a certificate for `names` if it is to speak TLS; the configuration is the first line it
  /// reads.
  package init(_ script: String, names: String?, _ settings: [String: any Sendable]) throws {
    directory = try names.map { try TestCertificate.make($0) }
    certificate = directory.map { "\($0)/cert.pem" }
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-I", "-c", script]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let (box, events) = (box, output.fileHandleForReading)
    Thread.detachNewThread { Self.read(events, into: box) }
    var configuration = settings
    configuration["certificate"] = certificate
    configuration["key"] = directory.map { "\($0)/key.pem" }
    try send(configuration)
  }

  /// The port it listens on; when it does not come to that, it ends.
  package func port() async throws -> UInt16 {
    do {
      let ready = try await box.next("ready", within: 20)
      guard let text = ready["port"] as? Int, let port = UInt16(exactly: text) else { throw PeerError.ended }
      return port
    } catch {
      stop()
      throw error
    }
  }

  package func stop() {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
    if let directory { try? FileManager.default.removeItem(atPath: directory) }
  }

  package func send(_ command: [String: any Sendable]) throws {
    try input.fileHandleForWriting.write(
      contentsOf: try JSONSerialization.data(withJSONObject: command) + Data([0x0a]))
  }

  private static func read(_ events: FileHandle, into box: PeerBox) {
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

/// The lines of the child and the tasks that wait for them.
package final class PeerBox: Sendable {
  package typealias Event = [String: any Sendable]

  private struct Waiter: Sendable {
    let id: Int
    let wants: @Sendable (Event) -> Bool
    let resume: @Sendable (Result<Event, PeerProcess.PeerError>) -> Void
  }

  private struct State {
    var events: [Event] = []
    var waiters: [Waiter] = []
    var ended = false
    var lastID = 0
  }

  private let state = LockBox(State())

  package func count(_ name: String) -> Int {
    state.withLock { $0.events.count { $0["event"] as? String == name } }
  }

  func put(_ line: Data) {
    guard let event = (try? JSONSerialization.jsonObject(with: line)) as? Event else { return }
    let waiter: Waiter? = state.withLock { state in
      guard let index = state.waiters.firstIndex(where: { $0.wants(event) }) else {
        state.events.append(event)
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

  /// The next event of this name that is not taken; waits for it, and throws after `seconds`.
  /// - Parameter isMeant: whether an event of the name is the one.
  package func next(
    _ name: String, within seconds: Double, where isMeant: @escaping @Sendable (Event) -> Bool = { _ in true }
  ) async throws -> Event {
    let wants: @Sendable (Event) -> Bool = { $0["event"] as? String == name && isMeant($0) }
    return try await withCheckedThrowingContinuation { continuation in
      let found: Result<Event, PeerProcess.PeerError>? = state.withLock { state in
        if let index = state.events.firstIndex(where: wants) { return .success(state.events.remove(at: index)) }
        if state.ended { return .failure(.ended) }
        state.lastID += 1
        let id = state.lastID
        state.waiters.append(Waiter(id: id, wants: wants) { continuation.resume(with: $0) })
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
