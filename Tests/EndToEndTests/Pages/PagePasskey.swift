import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// A passkey of a person at the pages. It does what the script of passkeys does with a browser's.
struct PagePasskey: Sendable {
  let passkey: TestPasskey
  let origin: String

  /// An answer, as the script writes it into a form.
  struct Answer: Sendable {
    let challenge: String
    let json: String

    var typed: [String: String] { ["challenge": challenge, "passkey": json] }
  }

  /// The answer to options for a new passkey, with the passkey.
  static func made(
    _ options: JSONValue, at origin: String, _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> (passkey: PagePasskey, answer: Answer) {
    let (challenge, key) = try parts(options)
    let user = try #require(key["user"]?["id"]?.string.flatMap { Base64URL.decode($0) })
    let rpID = try #require(key["rp"]?["id"]?.string)
    let own = PagePasskey(passkey: try TestPasskey(rpID: rpID, userHandle: user), origin: origin)
    let made = try own.passkey.registration(challenge) { parts in
      parts.origin = origin
      change(&parts)
    }
    let answer = RegistrationAnswer(
      id: made.id, clientData: made.clientDataJSON, attestationObject: made.attestationObject, transports: ["internal"])
    return (own, Answer(challenge: options["challenge_id"]?.string ?? "", json: try Self.text(answer)))
  }

  /// The answer to options for a use.
  func answer(
    _ options: JSONValue, by signer: TestKeyPair? = nil, _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> Answer {
    let used = try passkey.assertion(try Self.parts(options).challenge, by: signer) { parts in
      parts.origin = origin
      change(&parts)
    }
    let answer = AuthenticationAnswer(
      id: used.id, clientData: used.clientDataJSON, authenticatorData: used.authenticatorData,
      signature: used.signature, userHandle: used.userHandle)
    return Answer(challenge: options["challenge_id"]?.string ?? "", json: try Self.text(answer))
  }

  private static func parts(_ options: JSONValue) throws -> (challenge: [UInt8], key: JSONValue) {
    let key = try #require(options["public_key"], "\(options)")
    return (try #require(key["challenge"]?.string.flatMap { Base64URL.decode($0) }), key)
  }

  private static func text(_ answer: some Encodable) throws -> String {
    String(decoding: try JSONEncoding.encode(answer), as: UTF8.self)
  }

  // MARK: Servers

  /// A policy with passkeys, and with authenticator apps.
  /// - Parameters:
  ///   - use: the places of passkeys.
  ///   - more: members of the section, each with a comma before it.
  static func policy(
    _ text: String, verification: String = "preferred", use: String = "sign_in, second_factor", more: String = ""
  ) -> String {
    let factors = use.contains("second_factor") ? "totp, passkey" : "totp"
    return PolicyText.withoutTests(text)
      + "\nmfa: {factors: [\(factors)], remember_device: 30d}\n"
      + "passkeys: {use: [\(use)], user_verification: \(verification)\(more)}\n"
  }

  /// messAI with passkeys, at `localhost`.
  static func run(
    verification: String = "preferred", use: String = "sign_in, second_factor", more: String = "",
    change: (String) -> String = { $0 }, isLocal: Bool = true, _ body: (ThreeApps) async throws -> Void
  ) async throws {
    let text = change(
      policy(try TestLists.policy(App.messai.rawValue), verification: verification, use: use, more: more))
    let server = try await TestServer.start(policies: [App.messai.rawValue: text], isLocal: isLocal)
    do {
      try await body(ThreeApps(server))
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }
}

extension FormClient {
  /// Asks for the options of a form, as the script does.
  func ask(_ page: Page, intent: String = "passkey", headers: [String: String] = [:]) async throws
    -> TestClient.Answer
  {
    let body = Self.encoded(try Self.fields(page, ["options": "1"], intent: intent))
    return try await send("POST", String(page.address.prefix { $0 != "?" }), body, headers: headers)
  }

  /// The same, where they come.
  func options(_ page: Page, intent: String = "passkey") async throws -> JSONValue {
    let answer = try await ask(page, intent: intent)
    try #require(answer.status == 200 && answer.headers["content-type"] == "application/json", "\(answer.text)")
    return answer.json
  }

  /// The options that a page has for its own form.
  static func options(on page: Page) throws -> JSONValue {
    let found = try #require(page.text.firstMatch(of: /data-options="([^"]*)"/), "\(page.text)")
    let key = try JSONParser.parse(Array(Form.plain(String(found.output.1)).utf8))
    var options = JSONObject()
    options["public_key"] = key
    return .object(options)
  }

  /// Adds a passkey to the account that is signed in; the passkey, and the page after it.
  func addPasskey(
    named name: String = "", _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) async throws -> (passkey: PagePasskey, page: Page) {
    let page = try await open("account/factors")
    let (passkey, answer) = try PagePasskey.made(
      try await options(page, intent: "add-passkey"), at: server, change)
    let typed = answer.typed.merging(["passkey_name": name]) { $1 }
    return (passkey, try await send(page, typed, intent: "add-passkey"))
  }
}
