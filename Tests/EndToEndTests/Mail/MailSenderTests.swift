import GatehouseAdminWire
import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("The sender of an app's mails")
struct MailSenderTests {
  private static let own = "no-reply@auth.example.com"

  private static func policy(_ from: String?) -> String {
    """
    schema: gatehouse/policy.v1
    tenant: acme
    app: {name: Acme, locales: [en], support_email: help@acme.example}
    password: {rules: [{id: length, min_length: 8}]}
    privacy: {account_exists: reveal}

    """ + (from.map { "mail: {from: \($0)}\n" } ?? "")
  }

  private func run(
    _ from: String?, allowing senders: [String] = ["acme.example"], _ body: (TestServer, MailSink) async throws -> Void
  ) async throws {
    let sink = try await MailSink.start()
    let server = try await TestServer.start(policies: ["acme": Self.policy(from)], smtp: sink.url, senders: senders)
    do {
      try await body(server, sink)
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  /// The mail that a sign-up causes.
  private func mail(_ name: String, _ server: TestServer, _ sink: MailSink) async throws -> MailSink.Delivery {
    let body = #"{"email":"\#(name)@example.com","password":"\#(App.password)"}"#
    let up = try await TestClient(server.url + "/t/acme").post("/v1/sign-up", body)
    #expect(up.status == 201, "\(up.text)")
    try await server.deliverMail()
    return try await sink.next()
  }

  @Test("without mail: the app's name stands before the server's address, as ever")
  func silent() async throws {
    try await run(nil) { server, sink async throws in
      let mail = try await mail("pat", server, sink)
      #expect(mail.from == Self.own && mail.shown == ["Acme", Self.own])
    }
  }

  @Test("name and address of the policy are shown, and the envelope, which bounces follow, stays the server's")
  func shown() async throws {
    try await run(#"{name: "Bücher, \"Räder\" & Co", address: Hi@acme.example}"#) { server, sink async throws in
      let mail = try await mail("pat", server, sink)
      #expect(mail.shown == ["Bücher, \"Räder\" & Co", "Hi@acme.example"])
      #expect(mail.from == Self.own, "the envelope")
      #expect(mail.mail?.messageID.hasSuffix("@auth.example.com") == true)
      #expect(mail.bytes.allSatisfy { $0 < 0x80 })
    }
  }

  @Test("a name alone needs no permission")
  func name() async throws {
    try await run("{name: Acme Accounts}", allowing: []) { server, sink async throws in
      #expect(try await mail("pat", server, sink).shown == ["Acme Accounts", Self.own])
    }
  }

  @Test("an address that is not allowed makes no tenant and is not applied, also as a dry run; a check says why")
  func refused() async throws {
    try await run("{name: Acme}", allowing: []) { server, _ async throws in
      let text = Self.policy("{address: ceo@bank.example}")
      for dryRun in [true, false] {
        do {
          _ = try await ApplyPolicy.run(
            .init(tenant: "acme", text: text, file: "acme.yaml", reason: "test", dryRun: dryRun), server.asOperator)
          Issue.record("it was applied")
        } catch let error as OperatorError {
          #expect(error.description.contains("does not send mail from \"ceo@bank.example\""), "\(error)")
          #expect(error.description.contains("mail.allowed_from"), "\(error)")
        }
      }
      await #expect(throws: OperatorError.self) {
        try await server.makeTenant("other", text.replacing("tenant: acme", with: "tenant: other"))
      }
      let check = try await CheckPolicy.run(.init(text: text, file: "acme.yaml"), server.asOperator)
      #expect(!check.good && check.findings.contains { $0.code == "P0502" }, "\(check.report)")
      // Negative control.
      #expect(
        try await CheckPolicy.run(.init(text: Self.policy("{name: B}"), file: "acme.yaml"), server.asOperator).good)
    }
  }

  @Test("where a stored address is no longer allowed its mails still come, from the server's address")
  func withdrawn() async throws {
    try await run("{name: Acme Accounts, address: hi@acme.example}") { first, sink async throws in
      #expect(try await mail("pat", first, sink).shown == ["Acme Accounts", "hi@acme.example"])
      let second = try await first.sibling(smtp: sink.url, senders: [])
      do {
        #expect(try await mail("kay", second, sink).shown == ["Acme Accounts", Self.own])
      } catch {
        await second.stop()
        throw error
      }
      await second.stop()
    }
  }

  @Test("a test mail has the sender of the app's mails")
  func testMail() async throws {
    try await run("{name: Acme Accounts, address: hi@acme.example}") { server, sink async throws in
      _ = try await SendTestMail.run(.init(tenant: "acme", address: "olivia@example.com"), server.asOperator)
      let mail = try await sink.next()
      #expect(mail.shown == ["Acme Accounts", "hi@acme.example"] && mail.from == Self.own)
    }
  }
}

extension MailSink.Delivery {
  /// Name and address of `From:`, as another maker's parser reads them.
  fileprivate var shown: [String] {
    let value = read.headers.first { $0.name == "From" }?.value ?? ""
    let parts = value.components(separatedBy: " <")
    let name = parts[0].hasPrefix("\"") ? String(parts[0].dropFirst().dropLast()) : parts[0]
    return [name.replacing("\\\"", with: "\"")] + parts.dropFirst().map { String($0.dropLast()) }
  }
}
