import CTLS
import Foundation
import Testing

@testable import GatehouseRuntime

private let request = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"

/// A clock that tests move.
private final class Hands: Sendable {
  private let time = Locked(ContinuousClock.now)
  var now: ContinuousClock.Instant { time.withLock { $0 } }
  func move(_ duration: Duration) { time.withLock { $0 += duration } }
}

@Suite("Certificates and keys")
struct CredentialTests {
  @Test("a file that is of no use is named with the reason")
  func errors() throws {
    let one = try TestCertificate.one.copied()
    func reason(_ certificate: String, _ key: String) -> String {
      do throws(TLSError) {
        _ = try TLSCredentials(certificate: certificate, key: key)
        return "none"
      } catch {
        return error.description.replacing(one.certificate, with: "CERT").replacing(one.key, with: "KEY")
      }
    }
    #expect(reason(one.certificate, one.key) == "none")
    #expect(reason("/nowhere/c.pem", one.key) == "/nowhere/c.pem: No such file or directory")
    #expect(reason("/tmp", one.key) == "/tmp: is not a file")
    #expect(reason(one.key, one.key) == "KEY: holds no certificate in PEM")
    #expect(reason(one.certificate, one.certificate) == "CERT: holds no private key in PEM")
    #expect(
      reason(one.certificate, TestCertificate.two.key)
        == "\(TestCertificate.two.key): is not the key of the certificate in CERT")
    #expect(
      reason(one.certificate, TestCertificate.rsa.key)
        == "\(TestCertificate.rsa.key): is not the key of the certificate in CERT")
    let locked = TestCertificate.directory() + "/locked.pem"
    let answer = try Tool.run(["openssl", "ec", "-in", one.key, "-aes128", "-passout", "pass:abcd", "-out", locked])
    #expect(answer.status == 0)
    #expect(
      reason(one.certificate, locked) == "\(locked): is encrypted with a passphrase, and the server cannot ask for it")
    let text = try String(contentsOfFile: one.certificate, encoding: .utf8)
    try (text + text.replacing("MII", with: "MIX")).write(toFile: one.certificate, atomically: false, encoding: .utf8)
    #expect(reason(one.certificate, one.key).hasPrefix("CERT: certificate cannot be used: "))
  }

  @Test("the end of a certificate and the hosts it is for are known")
  func facts() throws {
    let credentials = try TestCertificate.one.credentials()
    let days = Double(credentials.expiry) - Date().timeIntervalSince1970
    #expect(abs(days / 86_400 - 30) < 0.1)
    for host in ["localhost", "LOCALHOST", "127.0.0.1"] { #expect(credentials.covers(host)) }
    for host in ["one", "example.com", "127.0.0.2", "", "local"] { #expect(!credentials.covers(host)) }
  }

  @Test("a new pair is for new connections; open ones go on; a broken pair changes nothing")
  func reload() async throws {
    let place = try TestCertificate.one.copied()
    let credentials = try place.credentials()
    try await withTLSServer(credentials) { running in
      let old = try running.encryptedClient()
      func works(_ client: RawClient) throws -> Bool {
        client.send(request)
        return try client.receive().status == 200
      }
      #expect(old.tls?.serverName == "one")
      #expect(try works(old))
      try TestCertificate.two.copy(over: place)
      credentials.use(try credentials.read(certificate: place.certificate, key: place.key))
      let new = try running.encryptedClient()
      #expect(new.tls?.serverName == "two")
      #expect(try works(new))
      #expect(try works(old))
      try Data("rubbish".utf8).write(to: URL(fileURLWithPath: place.key))
      #expect(throws: TLSError(path: place.key, reason: "holds no private key in PEM")) {
        try credentials.read(certificate: place.certificate, key: place.key)
      }
      #expect(try running.encryptedClient().tls?.serverName == "two")
      #expect(try works(new))
      #expect(try works(old))
    }
  }
}

@Suite("Session tickets")
struct TicketTests {
  private func session(_ running: RunningServer, _ version: Int32, _ session: OpaquePointer? = nil) throws
    -> (isResumed: Bool, session: OpaquePointer?)
  {
    let client = try running.encryptedClient(ClientTLS.Options(version: version, session: session))
    // Tickets of TLS 1.3 come after the handshake, before the first answer.
    client.send(request)
    #expect(try client.receive().status == 200)
    return (client.tls?.isResumed ?? false, client.tls?.session)
  }

  @Test(
    "a session is resumed for one period at least and for two at most", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func rotation(_ version: Int32) async throws {
    let hands = Hands()
    let pair = TestCertificate.one
    let credentials = try TLSCredentials(
      certificate: pair.certificate, key: pair.key, tickets: TicketKeys(now: { hands.now }))
    try await withTLSServer(credentials) { running in
      let first = try session(running, version)
      #expect(!first.isResumed)
      #expect(try session(running, version, first.session).isResumed)
      hands.move(TicketKeys.period)
      let second = try session(running, version, first.session)
      #expect(second.isResumed)
      hands.move(TicketKeys.period)
      // Sealed under the first key, which is gone; the replacement given in between is under the second.
      #expect(try !session(running, version, first.session).isResumed)
      #expect(try session(running, version, second.session).isResumed)
      hands.move(TicketKeys.period * 2)
      #expect(try !session(running, version, second.session).isResumed)
    }
  }

  @Test("sessions outlive a new certificate, and mean nothing to another server")
  func reload() async throws {
    let place = try TestCertificate.one.copied()
    let credentials = try place.credentials()
    try await withTLSServer(credentials) { running in
      let first = try session(running, TLS1_3_VERSION)
      try TestCertificate.two.copy(over: place)
      credentials.use(try credentials.read(certificate: place.certificate, key: place.key))
      #expect(try session(running, TLS1_3_VERSION, first.session).isResumed)
      try await withTLSServer(try place.credentials()) { other in
        let strange = try session(other, TLS1_3_VERSION, first.session)
        #expect(!strange.isResumed)
      }
    }
  }

  @Test("openssl resumes a session and gets its answer", arguments: ["-tls1_2", "-tls1_3"])
  func client(_ version: String) async throws {
    try await withTLSServer { running in
      let file = TestCertificate.directory() + "/session"
      let close = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      let first = try running.openssl(version, "-ign_eof", "-sess_out", file, input: close)
      #expect(first.output.contains("New, TLSv") && first.output.contains("GET /a 0 true"))
      let second = try running.openssl(version, "-ign_eof", "-sess_in", file, input: close)
      #expect(second.output.contains("Reused, TLSv") && second.output.contains("GET /a 0 true"))
    }
  }
}
