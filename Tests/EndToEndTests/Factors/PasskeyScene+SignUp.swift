import Foundation
import GatehouseIdentity
import GatehouseOutbound
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// Sign-ups with a passkey: of Kim, who has no account yet.
extension PasskeyScene {
  static let signsUp = "{use: [sign_in, sign_up]}"

  /// The same, where the tenant hides which addresses have accounts.
  static func hiding(_ passkeys: String = signsUp, _ body: (PasskeyScene) async throws -> Void) async throws {
    try await run(passkeys, mfa: nil) { keys in
      try await keys.serve(passkeys, edit: PolicyText.hiding)
      try await body(keys)
    }
  }

  func startSignUp(_ local: String = "kim", at client: TestClient? = nil) async throws -> TestClient.Answer {
    try await (client ?? self.client).post(
      "/v1/passkeys/sign-up/start", #"{"email":"\#(FactorScene.app.email(local))"}"#)
  }

  /// The body that completes a sign-up by a passkey of these options.
  static func form(
    _ begun: TestClient.Answer, _ passkey: TestPasskey, _ local: String = "kim", members: String? = nil,
    _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> String {
    let made = try passkey.registration(begun.passkeyChallenge) {
      $0.origin = origin
      change(&$0)
    }
    let credential = try text(
      RegistrationAnswer(id: made.id, clientData: made.clientDataJSON, attestationObject: made.attestationObject))
    let app = FactorScene.app
    let members = members ?? #""email":"\#(app.email(local))","profile":\#(app.profile(local))"#
    return #"{"challenge_id":"\#(begun.challenge)","credential":\#(credential),\#(members)}"#
  }

  func complete(
    _ body: String, at client: TestClient? = nil, headers: [String: String] = [:]
  ) async throws -> TestClient.Answer {
    try await (client ?? self.client).send("POST", "/v1/passkeys/sign-up/complete", body, headers: headers)
  }

  /// An account that was made with a passkey.
  struct Made {
    let passkey: TestPasskey
    let answer: TestClient.Answer

    var token: String { answer.json.accessToken }
  }

  /// Signs up with a new passkey.
  func signUp(
    _ local: String = "kim", _ algorithm: PasskeyAlgorithm = .es256,
    _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) async throws -> Made {
    let begun = try await startSignUp(local)
    try #require(begun.status == 200, "\(begun.text)")
    let passkey = try Self.passkey(begun.json["public_key"], algorithm)
    return Made(passkey: passkey, answer: try await complete(try Self.form(begun, passkey, local, change)))
  }

  /// The account at an address; nil where there is none.
  func account(_ local: String = "kim") async throws -> StoredUser? {
    try await scene.store().user(email: FactorScene.app.email(local))?.user
  }

  /// The token of the newest mail's link.
  func link(_ local: String = "kim") async throws -> String {
    try #require(try await mail(local).link?.split(separator: "=").last.map(String.init))
  }

  func confirm(_ members: String, token: String? = nil) async throws -> TestClient.Answer {
    try await client.post("/v1/email-verification/confirm", "{\(members)}", token: token)
  }

  /// A reset of the password by the mail to an address.
  func reset(_ local: String = "kim", to password: String = App.password) async throws -> TestClient.Answer {
    scene.clock.advance(seconds: 61)
    _ = try await client.post("/v1/password-reset", #"{"email":"\#(FactorScene.app.email(local))"}"#)
    let token = try await link(local)
    return try await client.post("/v1/password-reset/confirm", #"{"token":"\#(token)","password":"\#(password)"}"#)
  }
}
