import Foundation
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// A person of messAI, which has a host of its own, and passkeys.
struct PasskeyScene {
  static let host = "auth.messai.example"
  static let origin = "http://auth.messai.example"
  static let both = "{use: [sign_in, second_factor]}"

  let scene: FactorScene

  var client: TestClient { scene.client }
  var token: String { scene.up.accessToken }

  /// - Parameters:
  ///   - passkeys: the section of the policy; nil for a policy without one.
  ///   - mfa: the section of second factors.
  static func run(
    _ passkeys: String? = both, mfa: String? = "{factors: [totp, passkey], remember_device: 30d}",
    host: String? = host, isProven: Bool = true, isSecure: Bool = false,
    edit: @escaping @Sendable (String) -> String = { $0 },
    _ body: (PasskeyScene) async throws -> Void
  ) async throws {
    let more = passkeys.map { "passkeys: \($0)\n" } ?? ""
    try await FactorScene.run(mfa: mfa, more: more, isProven: isProven, isSecure: isSecure, edit: edit) { scene in
      if let host { try await scene.apps.own(host, of: FactorScene.app.rawValue) }
      try await body(PasskeyScene(scene: scene))
    }
  }

  /// A passkey that was added.
  struct Key {
    let passkey: TestPasskey
    let id: String
    let recoveryCodes: [String]
    let session: JSONValue

    var token: String { session.accessToken }
  }

  // MARK: Enrolment

  func start(_ token: String? = nil) async throws -> TestClient.Answer {
    try await client.post("/v1/passkeys/register/start", "{}", token: token ?? self.token)
  }

  /// A passkey for these options, which is not registered yet.
  static func passkey(_ options: JSONValue?, _ algorithm: PasskeyAlgorithm = .es256) throws -> TestPasskey {
    let handle = try #require(options?["user"]?["id"]?.string.flatMap { Base64URL.decode($0) })
    let rpID = try #require(options?["rp"]?["id"]?.string)
    return try TestPasskey(algorithm, rpID: rpID, userHandle: handle)
  }

  func complete(
    _ begun: TestClient.Answer, _ passkey: TestPasskey, _ token: String? = nil, name: String? = nil,
    at client: TestClient? = nil, _ change: (inout TestPasskey.Parts) -> Void = { _ in },
    statement: (TestPasskey.Parts) throws -> [UInt8] = { _ in CBORText.map([]) }
  ) async throws -> TestClient.Answer {
    let answer = try passkey.registration(
      begun.passkeyChallenge,
      {
        $0.origin = Self.origin
        change(&$0)
      }, statement: statement)
    let wire = RegistrationAnswer(
      id: answer.id, clientData: answer.clientDataJSON, attestationObject: answer.attestationObject,
      transports: ["internal", "carrier-pigeon"])
    let input = AddPasskeyEndpoint.Input(challengeID: begun.challenge, credential: wire, name: name)
    return try await (client ?? self.client).post(
      "/v1/passkeys/register/complete", Self.text(input), token: token ?? self.token)
  }

  /// Adds a passkey to the account of a session with a fresh proof.
  func enrol(
    _ token: String? = nil, _ algorithm: PasskeyAlgorithm = .es256, name: String? = nil,
    _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) async throws -> Key {
    let begun = try await start(token)
    try #require(begun.status == 200, "\(begun.text)")
    let passkey = try Self.passkey(begun.json["public_key"], algorithm)
    let done = try await complete(begun, passkey, token, name: name, change)
    try #require(done.status == 201, "\(done.text)")
    return Key(
      passkey: passkey, id: try #require(done.json["factor"]?["id"]?.string),
      recoveryCodes: (done.json["recovery_codes"]?.array ?? []).compactMap(\.string),
      session: try #require(done.json["session"]))
  }

  // MARK: Use

  /// The answer of a passkey to options, as JSON of WebAuthn.
  static func answer(
    _ passkey: TestPasskey, _ challenge: [UInt8], _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) throws -> AuthenticationAnswer {
    let answer = try passkey.assertion(challenge) {
      $0.origin = origin
      change(&$0)
    }
    return AuthenticationAnswer(
      id: answer.id, clientData: answer.clientDataJSON, authenticatorData: answer.authenticatorData,
      signature: answer.signature, userHandle: answer.userHandle)
  }

  func startSignIn(at client: TestClient? = nil) async throws -> TestClient.Answer {
    try await (client ?? self.client).post("/v1/passkeys/sign-in/start", "{}")
  }

  /// Answers the options of `begun`: of its start, or of a refusal.
  func signIn(
    _ begun: TestClient.Answer, _ passkey: TestPasskey, challengeID: String? = nil, device: String? = nil,
    at client: TestClient? = nil, _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) async throws -> TestClient.Answer {
    let input = CompletePasskeySignInEndpoint.Input(
      challengeID: challengeID ?? begun.challenge,
      credential: try Self.answer(passkey, begun.passkeyChallenge, change),
      device: device.map { Device(name: nil, id: $0) })
    return try await (client ?? self.client).post("/v1/passkeys/sign-in/complete", Self.text(input))
  }

  /// A sign-in with a new challenge.
  func enter(
    _ passkey: TestPasskey, device: String? = nil, _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) async throws -> TestClient.Answer {
    try await signIn(try await startSignIn(), passkey, device: device, change)
  }

  /// The second step of a sign-in by the options of `asked`.
  func verify(
    _ asked: TestClient.Answer, _ passkey: TestPasskey, challengeID: String? = nil,
    _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) async throws -> TestClient.Answer {
    let input = VerifyFactorEndpoint.Input(
      challengeID: challengeID ?? asked.challenge, passkey: try Self.answer(passkey, asked.passkeyChallenge, change))
    return try await client.post("/v1/mfa/verify", Self.text(input))
  }

  func prove(
    _ begun: TestClient.Answer, _ passkey: TestPasskey, _ token: String,
    _ change: (inout TestPasskey.Parts) -> Void = { _ in }
  ) async throws -> TestClient.Answer {
    let input = ReauthenticateEndpoint.Input(
      passkey: try Self.answer(passkey, begun.passkeyChallenge, change), challengeID: begun.challenge)
    return try await client.post("/v1/reauthenticate", Self.text(input), token: token)
  }

  func startProof(_ token: String) async throws -> TestClient.Answer {
    try await client.post("/v1/reauthenticate/start", "{}", token: token)
  }

  static func text(_ input: some Encodable) throws -> String {
    String(decoding: try ContractJSON.encode(input), as: UTF8.self)
  }
}

extension TestClient.Answer {
  /// The WebAuthn challenge of an answer's options.
  var passkeyChallenge: [UInt8] {
    ((json["public_key"] ?? json["passkey"])?["challenge"]?.string).flatMap { Base64URL.decode($0) } ?? []
  }
}
