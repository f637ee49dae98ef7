import Foundation
package import GatehouseOutbound
import GatehouseTesting

/// A real mail server for tests: aiosmtpd (Debian package python3-aiosmtpd) in a child process on a free loopback port.
/// It ends with this object, and by itself when the test process dies.
package final class MailSink: Sendable {
  /// How clients get TLS.
  package enum TLS: String, Sendable {
    case none, starttls, implicit
  }

  /// The point of a session at which an unusual answer is given.
  package enum Stage: String, Sendable {
    case mail, rcpt, data
    /// After the message was taken: the client learns another answer than what became of it.
    case taken
  }

  /// The behaviour of the server.
  package struct Options: Sendable {
    package var tls: TLS = .none
    /// Asked for before any mail when set.
    package var login: (user: String, password: String)?
    /// Accepts connections and never says a word.
    package var silent = false
    /// Whether SMTPUTF8 (RFC 6531) is offered.
    package var smtpUTF8 = true
    /// The names in the certificate, as OpenSSL's subjectAltName.
    package var certificateNames = "DNS:localhost,IP:127.0.0.1"

    package init(
      tls: TLS = .none, login: (user: String, password: String)? = nil, silent: Bool = false, smtpUTF8: Bool = true,
      certificateNames: String = "DNS:localhost,IP:127.0.0.1"
    ) {
      self.certificateNames = certificateNames
      self.tls = tls
      self.login = login
      self.silent = silent
      self.smtpUTF8 = smtpUTF8
    }
  }

  /// One message as the server took it.
  package struct Delivery: Sendable {
    /// The envelope.
    package let from: String
    package let to: [String]
    /// Whether the session was encrypted.
    package let tls: Bool
    /// The user that was logged in.
    package let login: String?
    /// The client's port: equal for messages of one connection.
    package let peer: Int
    /// The message as it came, dot-stuffing undone.
    package let bytes: [UInt8]
    /// The message read, if it has the shape of ours.
    package let mail: StoredMail?
    /// The message as Python's email package reads it, which shares nothing with what wrote it.
    package let read: ReadMail
  }

  /// The loopback port (127.0.0.1) it listens on.
  package let port: UInt16
  private let options: Options
  private let child: PeerProcess

  private init(port: UInt16, _ options: Options, _ child: PeerProcess) {
    self.port = port
    self.options = options
    self.child = child
  }

  deinit { child.stop() }

  /// Starts a server and returns when it listens.
  package static func start(_ options: Options = Options()) async throws -> MailSink {
    var settings: [String: any Sendable] = [
      "tls": options.tls.rawValue, "silent": options.silent, "smtputf8": options.smtpUTF8,
    ]
    settings["user"] = options.login?.user
    settings["password"] = options.login?.password
    let child = try PeerProcess(
      String(decoding: PackageResources.mail_sink_py, as: UTF8.self),
      names: options.tls == .none ? nil : options.certificateNames, settings)
    return MailSink(port: try await child.port(), options, child)
  }

  /// The PEM file a client must trust when `tls` is on.
  package var certificate: String? { child.certificate }

  /// `smtp://127.0.0.1:port?starttls=none` and its like, login included, as an operator would write it.
  package var url: String {
    func escaped(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text }
    let login = options.login.map { "\(escaped($0.user)):\(escaped($0.password))@" } ?? ""
    let trust = certificate.map { "ca=\($0)" } ?? ""
    return switch options.tls {
    case .none: "smtp://\(login)127.0.0.1:\(port)?starttls=none"
    case .starttls: "smtp://\(login)127.0.0.1:\(port)?\(trust)"
    case .implicit: "smtps://\(login)127.0.0.1:\(port)?\(trust)"
    }
  }

  /// The next message to this address (or to any) that was not returned yet; waits for it, and throws after `seconds`.
  package func next(to address: String? = nil, within seconds: Double = 20) async throws -> Delivery {
    let event = try await child.box.next("message", within: seconds) { message in
      let to = message["to"] as? [String] ?? []
      return address.map { wanted in to.contains { $0.utf8.elementsEqual(wanted.utf8) } } ?? true
    }
    return Delivery(event)
  }

  /// How many messages have come that `next` has not returned. A message counts from the moment in which its client has
  /// the answer: the child says so after all that it said before.
  package var waiting: Int {
    get async throws {
      try child.send(["count": true])
      _ = try await child.box.next("counted", within: 20)
      return child.box.count("message")
    }
  }

  /// The next `times` commands of this stage are answered so (`451 4.3.0 try later`).
  package func answer(_ stage: Stage, with reply: String, times: Int = 1) async throws {
    try child.send(["stage": stage.rawValue, "answer": reply, "times": times])
    _ = try await child.box.next("scripted", within: 20)
  }
}

extension MailSink.Delivery {
  fileprivate init(_ event: PeerBox.Event) {
    let bytes = Array(Data(base64Encoded: event["data"] as? String ?? "") ?? Data())
    self.init(
      from: event["from"] as? String ?? "", to: event["to"] as? [String] ?? [], tls: event["tls"] as? Bool ?? false,
      login: event["login"] as? String, peer: event["peer"] as? Int ?? 0, bytes: bytes, mail: StoredMail(bytes),
      read: ReadMail(event["read"] as? PeerBox.Event ?? [:]))
  }
}
