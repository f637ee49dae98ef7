import Foundation
import GatehouseOutbound
import GatehouseTesting

/// The child process of a `MailSink`, and the thread that reads its events.
final class MailSinkProcess: Sendable {
  let box = MailSinkBox()
  let certificate: String?
  private let options: MailSink.Options
  private let directory: String?
  private let process = Process()
  private let input = Pipe()

  init(_ options: MailSink.Options) throws {
    self.options = options
    directory = options.tls == .none ? nil : try Self.makeCertificate(options.certificateNames)
    certificate = directory.map { "\($0)/cert.pem" }
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", String(decoding: PackageResources.mail_sink_py, as: UTF8.self)]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let box = box
    let events = output.fileHandleForReading
    Thread.detachNewThread { Self.read(events, into: box) }
    try send(configuration)
  }

  func stop() {
    try? input.fileHandleForWriting.close()
    if process.isRunning { process.terminate() }
    if let directory { try? FileManager.default.removeItem(atPath: directory) }
  }

  private var configuration: [String: any Sendable] {
    var values: [String: any Sendable] = [
      "tls": options.tls.rawValue, "silent": options.silent, "smtputf8": options.smtpUTF8,
    ]
    values["certificate"] = certificate
    values["key"] = directory.map { "\($0)/key.pem" }
    values["user"] = options.login?.user
    values["password"] = options.login?.password
    return values
  }

  func url(port: UInt16) -> String {
    func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text }
    let login = options.login.map { "\(escaped($0.user)):\(escaped($0.password))@" } ?? ""
    let trust = certificate.map { "ca=\($0)" } ?? ""
    return switch options.tls {
    case .none: "smtp://\(login)127.0.0.1:\(port)?starttls=none"
    case .starttls: "smtp://\(login)127.0.0.1:\(port)?\(trust)"
    case .implicit: "smtps://\(login)127.0.0.1:\(port)?\(trust)"
    }
  }

  func ready() async throws -> UInt16 {
    let event = try await box.event("ready", within: 20)
    guard let port = event["port"] as? Int, let port = UInt16(exactly: port) else {
      throw MailSinkError.ended("no port")
    }
    return port
  }

  func script(_ stage: MailSink.Stage, _ reply: String, _ times: Int) async throws {
    try send(["stage": stage.rawValue, "answer": reply, "times": times])
    _ = try await box.event("scripted", within: 20)
  }

  private func send(_ command: [String: any Sendable]) throws {
    let line = try JSONSerialization.data(withJSONObject: command) + Data([0x0a])
    try input.fileHandleForWriting.write(contentsOf: line)
  }

  private static func read(_ events: FileHandle, into box: MailSinkBox) {
    var buffer = Data()
    while true {
      let data = events.availableData
      if data.isEmpty { break }
      buffer += data
      while let end = buffer.firstIndex(of: 0x0a) {
        box.put(line: Data(buffer[..<end]))
        buffer = Data(buffer[buffer.index(after: end)...])
      }
    }
    box.end()
  }

  /// A key and a certificate signed by itself, in a new directory.
  private static func makeCertificate(_ names: String) throws -> String {
    let directory = try TestFolder.make("sink")
    let openssl = Process()
    openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    openssl.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=\(names)", "-keyout", "\(directory)/key.pem",
      "-out", "\(directory)/cert.pem",
    ]
    openssl.standardError = FileHandle.nullDevice
    try openssl.run()
    openssl.waitUntilExit()
    guard openssl.terminationStatus == 0 else { throw MailSinkError.ended("openssl could not make a certificate") }
    return directory
  }
}

/// The lines of the child and the tasks that wait for them.
final class MailSinkBox: @unchecked Sendable {
  typealias Event = [String: any Sendable]

  private struct Waiter {
    let id: Int
    let wants: (MailSink.Delivery) -> Bool
    let resume: (Result<MailSink.Delivery, MailSinkError>) -> Void
  }

  // INVARIANT: everything below is touched only while `lock` is held; that is why this is Sendable.
  private let lock = NSLock()
  private var deliveries: [MailSink.Delivery] = []
  private var waiters: [Waiter] = []
  private var events: [Event] = []
  private var eventWaiters: [(id: Int, name: String, resume: (Result<Event, MailSinkError>) -> Void)] = []
  private var ended = false
  private var lastID = 0

  var waiting: Int { lock.withLock { deliveries.count } }

  func put(line: Data) {
    guard let event = (try? JSONSerialization.jsonObject(with: line)) as? Event, let name = event["event"] as? String
    else { return }
    let resume: (() -> Void)? = lock.withLock {
      if name == "message" { return put(Self.delivery(event)) }
      guard let index = eventWaiters.firstIndex(where: { $0.name == name }) else {
        events.append(event)
        return nil
      }
      let waiter = eventWaiters.remove(at: index)
      return { waiter.resume(.success(event)) }
    }
    resume?()
  }

  private func put(_ delivery: MailSink.Delivery) -> (() -> Void)? {
    guard let index = waiters.firstIndex(where: { $0.wants(delivery) }) else {
      deliveries.append(delivery)
      return nil
    }
    let waiter = waiters.remove(at: index)
    return { waiter.resume(.success(delivery)) }
  }

  func end() {
    let (mail, other) = lock.withLock {
      ended = true
      defer { (waiters, eventWaiters) = ([], []) }
      return (waiters, eventWaiters)
    }
    let error = MailSinkError.ended("its output was closed (is python3-aiosmtpd installed?)")
    for waiter in mail { waiter.resume(.failure(error)) }
    for waiter in other { waiter.resume(.failure(error)) }
  }

  func next(to address: String?, within seconds: Double) async throws -> MailSink.Delivery {
    let wants: @Sendable (MailSink.Delivery) -> Bool = { delivery in
      address.map { wanted in delivery.to.contains { $0.utf8.elementsEqual(wanted.utf8) } } ?? true
    }
    return try await withCheckedThrowingContinuation { continuation in
      let found: Result<MailSink.Delivery, MailSinkError>? = lock.withLock {
        if let index = deliveries.firstIndex(where: wants) { return .success(deliveries.remove(at: index)) }
        if ended { return .failure(.ended("no more mail can come")) }
        lastID += 1
        waiters.append(Waiter(id: lastID, wants: wants) { continuation.resume(with: $0) })
        giveUp(lastID, after: seconds, "no mail to \(address ?? "any address") within \(seconds) s")
        return nil
      }
      if let found { continuation.resume(with: found) }
    }
  }

  func event(_ name: String, within seconds: Double) async throws -> Event {
    try await withCheckedThrowingContinuation { continuation in
      let found: Result<Event, MailSinkError>? = lock.withLock {
        if let index = events.firstIndex(where: { $0["event"] as? String == name }) {
          return .success(events.remove(at: index))
        }
        if ended { return .failure(.ended("before \(name) (is python3-aiosmtpd installed?)")) }
        lastID += 1
        eventWaiters.append((lastID, name, { continuation.resume(with: $0) }))
        giveUp(lastID, after: seconds, "no \(name) within \(seconds) s")
        return nil
      }
      if let found { continuation.resume(with: found) }
    }
  }

  /// The deadline of a waiter; called with the lock held.
  private func giveUp(_ id: Int, after seconds: Double, _ text: String) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [self] in
      let (mail, other) = lock.withLock {
        defer {
          waiters.removeAll { $0.id == id }
          eventWaiters.removeAll { $0.id == id }
        }
        return (waiters.first { $0.id == id }, eventWaiters.first { $0.id == id })
      }
      mail?.resume(.failure(.timeout(text)))
      other?.resume(.failure(.timeout(text)))
    }
  }

  private static func delivery(_ event: Event) -> MailSink.Delivery {
    let bytes = Array(Data(base64Encoded: event["data"] as? String ?? "") ?? Data())
    return MailSink.Delivery(
      from: event["from"] as? String ?? "", to: event["to"] as? [String] ?? [], tls: event["tls"] as? Bool ?? false,
      login: event["login"] as? String, peer: event["peer"] as? Int ?? 0, bytes: bytes, mail: StoredMail(bytes),
      read: ReadMail(event["read"] as? Event ?? [:]))
  }
}
