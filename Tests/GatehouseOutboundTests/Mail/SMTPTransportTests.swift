import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("SMTP against a real server")
struct SMTPTransportTests {
  private func transport(_ sink: MailSink, connections: Int = 1) throws -> SMTPTransport {
    SMTPTransport(try SMTPSettings(url: sink.url), connections: connections)
  }

  private func isTemporary(_ outcome: DeliveryOutcome, _ text: String) -> Bool {
    if case .temporaryFailure(let reason) = outcome { return reason.contains(text) }
    return false
  }

  private func isPermanent(_ outcome: DeliveryOutcome, _ text: String) -> Bool {
    if case .permanentFailure(let reason) = outcome { return reason.contains(text) }
    return false
  }

  @Test("a message arrives as it was written, and link and code can be read from it")
  func arrives() async throws {
    let sink = try await MailSink.start()
    let order = MessageOrder.sample(.verifyEmail, language: "es", brand: kState)
    let mail = try MailTemplates().render(order, tenant: "dd-ride")
    var whole = message(subject: mail.subject, text: mail.text + "\n.\n..\n. dots\nQUIT\n", html: mail.html)
    whole.to = MailAddress(name: "Wíllie", address: "willie@ksu.edu")
    #expect(try await transport(sink).deliver(whole) == .delivered(detail: "250 2.0.0 OK queued"))
    let delivery = try await sink.next(to: "willie@ksu.edu")
    #expect(delivery.from == "no-reply@ddride.example" && delivery.to == ["willie@ksu.edu"] && !delivery.tls)
    #expect(delivery.bytes == (try MIMEMessage(whole).bytes))
    #expect(delivery.mail?.code == order.code && delivery.mail?.link == order.link)
    #expect(delivery.mail?.text == whole.mail.text && delivery.mail?.messageID == whole.messageID)
  }

  @Test("messages one after another share a connection; several connections work side by side")
  func reuse() async throws {
    let sink = try await MailSink.start()
    let one = try transport(sink)
    for _ in 0..<3 { _ = await one.deliver(message()) }
    var peers: Set<Int> = []
    for _ in 0..<3 { peers.insert(try await sink.next().peer) }
    #expect(peers.count == 1)
    let many = try transport(sink, connections: 4)
    await withTaskGroup { group in
      for number in 0..<12 {
        group.addTask { await many.deliver(message(to: MailAddress(address: "w\(number)@ksu.edu"))) }
      }
      for await outcome in group { #expect(outcome == .delivered(detail: "250 2.0.0 OK queued")) }
    }
    for number in 0..<12 { _ = try await sink.next(to: "w\(number)@ksu.edu") }
  }

  @Test("STARTTLS and TLS from the first byte, with a login", arguments: [MailSink.TLS.starttls, .implicit])
  func encrypted(tls: MailSink.TLS) async throws {
    let sink = try await MailSink.start(.init(tls: tls, login: ("gate@house", "p:/?# é")))
    #expect(try await transport(sink).deliver(message()) == .delivered(detail: "250 2.0.0 OK queued"))
    let delivery = try await sink.next()
    #expect(delivery.tls && delivery.login == "gate@house")
  }

  @Test("a certificate of an unknown authority stops the mail", arguments: [MailSink.TLS.starttls, .implicit])
  func untrusted(tls: MailSink.TLS) async throws {
    let sink = try await MailSink.start(.init(tls: tls))
    var settings = try SMTPSettings(url: sink.url)
    settings.caFile = nil
    #expect(isTemporary(await SMTPTransport(settings).deliver(message()), "certificate"))
    #expect(try await sink.waiting == 0)
  }

  @Test("a certificate for another name stops the mail")
  func wrongName() async throws {
    let sink = try await MailSink.start(.init(tls: .implicit, certificateNames: "DNS:mail.example.com,IP:127.0.0.2"))
    let outcome = try await transport(sink).deliver(message())
    #expect(isTemporary(outcome, "127.0.0.1"), "\(outcome)")
    #expect(try await sink.waiting == 0)
  }

  @Test("STARTTLS required from a server without it stops the mail before the login")
  func stripped() async throws {
    let sink = try await MailSink.start()
    var settings = try SMTPSettings(url: sink.url)
    settings.security = .startTLSRequired
    #expect(isTemporary(await SMTPTransport(settings).deliver(message()), "STARTTLS"))
    settings.security = .startTLSIfOffered
    #expect(await SMTPTransport(settings).deliver(message()) == .delivered(detail: "250 2.0.0 OK queued"))
  }

  @Test("a wrong password is the operator's to mend, so the mail waits")
  func wrongLogin() async throws {
    let sink = try await MailSink.start(.init(tls: .starttls, login: ("gate", "house")))
    var settings = try SMTPSettings(url: sink.url)
    settings.password = Secret(Array("hunter2".utf8))
    let outcome = await SMTPTransport(settings).deliver(message())
    #expect(isTemporary(outcome, "535"))
    #expect(!"\(outcome)".contains("hunter2"))
    settings.user = nil
    settings.password = nil
    #expect(isTemporary(await SMTPTransport(settings).deliver(message()), "530"))
  }

  @Test("a 4xx is tried again later, a 5xx never", arguments: [MailSink.Stage.mail, .rcpt, .data])
  func replies(stage: MailSink.Stage) async throws {
    let sink = try await MailSink.start()
    let transport = try transport(sink)
    try await sink.answer(stage, with: "451 4.3.0 willie@ksu.edu try later")
    let first = await transport.deliver(message())
    #expect(isTemporary(first, "451 4.3.0 (address) try later"), "\(first)")
    #expect(!"\(first)".contains("willie"))
    try await sink.answer(stage, with: "550 5.1.1 no such user")
    let second = await transport.deliver(message())
    #expect(isPermanent(second, "550 5.1.1 no such user"), "\(second)")
    #expect(await transport.deliver(message()) == .delivered(detail: "250 2.0.0 OK queued"))
  }

  @Test("a kept connection that the server closed with 421 is replaced, and the mail is sent")
  func replaced() async throws {
    let sink = try await MailSink.start()
    let transport = try transport(sink)
    _ = await transport.deliver(message())
    let first = try await sink.next()
    try await sink.answer(.mail, with: "421 4.4.2 idle too long")
    #expect(await transport.deliver(message()) == .delivered(detail: "250 2.0.0 OK queued"))
    #expect(try await sink.next().peer != first.peer)
  }

  @Test("a server that does not listen is a temporary failure")
  func refused() async throws {
    let reserved = try ReservedPort()
    let settings = SMTPSettings(host: "127.0.0.1", port: reserved.port, security: .none)
    #expect(isTemporary(await SMTPTransport(settings).deliver(message()), "connect"))
  }

  @Test("a server that never says a word is given up after the time-out", .timeLimit(.minutes(1)))
  func silent() async throws {
    let sink = try await MailSink.start(.init(silent: true))
    let settings = SMTPSettings(host: "127.0.0.1", port: sink.port, security: .none, timeout: 1)
    let outcome = await SMTPTransport(settings).deliver(message())
    #expect(isTemporary(outcome, "time") || isTemporary(outcome, "Time"), "\(outcome)")
  }

  @Test("too many waiting messages are turned away at once")
  func full() async throws {
    let sink = try await MailSink.start(.init(silent: true))
    let settings = SMTPSettings(host: "127.0.0.1", port: sink.port, security: .none, timeout: 1)
    let transport = SMTPTransport(settings, connections: 1, waiting: 1)
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { await transport.deliver(message()) } }
      var reasons: [String] = []
      for await outcome in group {
        if case .temporaryFailure(let reason) = outcome { reasons.append(reason) }
      }
      #expect(reasons.count == 8 && reasons.contains { $0.contains("too many messages") })
    }
  }

  @Test("a message that can not be written down never reaches a server")
  func refusedMessage() async throws {
    let settings = SMTPSettings(host: "127.0.0.1", port: 1, security: .none)
    let outcome = await SMTPTransport(settings).deliver(message(to: MailAddress(address: "w@ksu.edu>\r\nDATA")))
    #expect(isPermanent(outcome, "to is not a single plain address"))
    #expect(!"\(outcome)".contains("ksu"))
  }

  @Test("an address beyond ASCII goes out by SMTPUTF8")
  func smtpUTF8() async throws {
    let sink = try await MailSink.start()
    let outcome = try await transport(sink).deliver(message(to: MailAddress(address: "josé@ksu.edu")))
    #expect(outcome == .delivered(detail: "250 2.0.0 OK queued"))
    #expect(try await sink.next(to: "josé@ksu.edu").mail?.to == "josé@ksu.edu")
  }
}

/// A loopback port that is bound but not listened on: connections are refused, and no other process can take it.
private final class ReservedPort {
  let port: UInt16
  private let socket: Int32

  init() throws {
    let socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.socket = socket
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    // SAFETY: `address` is a sockaddr_in of `length` bytes, rebound for the length of each call.
    let bound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    try #require(bound && port > 0)
  }

  deinit { close(socket) }
}
