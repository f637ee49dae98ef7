public import Foundation
public import GatehouseClient
import GatehouseWire

/// A passkey in memory, which a `FakeServer` takes for genuine. A real server refuses it: nothing is signed.
///
///     let creation = try await client.startPasskey()
///     let passkey = FakePasskey(for: creation)
///     _ = try await client.addPasskey(passkey.registration(for: creation), for: creation)
///     await client.signOut()
///     let request = try await client.startPasskeySignIn()
///     _ = try await client.signIn(with: passkey.assertion(for: request), for: request)
public struct FakePasskey: Sendable, Hashable {
  /// The id.
  public let credentialID: Data
  /// The bytes by which it knows its account.
  public let userHandle: Data
  /// The domain that it is for; nil where no options were there to say so: it fits any.
  public var relyingParty: String?
  /// Whether copies of it are kept elsewhere.
  public var isSynced = true
  /// Whether it verifies its user, by a PIN or a finger.
  public var verifiesUser = true

  /// A new passkey of the account that the options are for.
  public init(for creation: PasskeyCreation) {
    self.init(userHandle: creation.userID)
    relyingParty = creation.relyingParty
  }

  /// A new passkey that no server knows, for an account with this handle.
  public init(userHandle: Data) {
    self.userHandle = userHandle
    credentialID = Data((0..<16).map { _ in UInt8.random(in: 0...255) })
  }

  /// The answer of the system that made it from these options.
  public func registration(for creation: PasskeyCreation) -> PasskeyRegistration {
    let client = FakeClientData(.create, creation.challenge, creation.relyingParty)
    return PasskeyRegistration(
      credentialID: credentialID, clientDataJSON: client.json, attestationObject: statement(to: creation.relyingParty),
      transports: ["internal"])
  }

  /// The answer of the system after its use by these options.
  public func assertion(for request: PasskeyRequest) -> PasskeyAssertion {
    let client = FakeClientData(.get, request.challenge, request.relyingParty)
    return PasskeyAssertion(
      credentialID: credentialID, clientDataJSON: client.json,
      authenticatorData: statement(to: request.relyingParty), signature: Data("signed".utf8), userHandle: userHandle)
  }

  private func statement(to relyingParty: String) -> Data {
    FakeStatement(relyingParty, isVerified: verifiesUser, isSynced: isSynced).data
  }
}

/// The statement of a system about the page or the app that asked (WebAuthn section 5.8.1).
struct FakeClientData: Codable, Equatable {
  enum Kind: String, Codable {
    case create = "webauthn.create"
    case get = "webauthn.get"
  }

  var type: Kind
  var challenge: String
  var origin: String

  init(_ type: Kind, _ challenge: some Sequence<UInt8>, _ relyingParty: String) {
    (self.type, self.challenge, origin) = (type, Base64Text.text(of: Array(challenge)), "https://\(relyingParty)")
  }

  var json: Data { (try? JSONEncoder().encode(self)) ?? Data() }

  /// Whether a system answered this.
  func isSaid(by json: [UInt8]) -> Bool { (try? JSONDecoder().decode(Self.self, from: Data(json))) == self }
}

/// The head of an authenticator's data: the hash of the relying party, flags, and a counter that stays zero (WebAuthn
/// section 6.1).
struct FakeStatement: Equatable {
  private static let (present, verified, synced): (UInt8, UInt8, UInt8) = (0x01, 0x04, 0x18)

  var hash: [UInt8]
  var isVerified: Bool
  var isSynced: Bool

  init(_ relyingParty: String, isVerified: Bool, isSynced: Bool) {
    hash = Self.hash(of: relyingParty)
    (self.isVerified, self.isSynced) = (isVerified, isSynced)
  }

  /// Nil for bytes of another form.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == 37, bytes[32] & Self.present != 0 else { return nil }
    hash = Array(bytes.prefix(32))
    (isVerified, isSynced) = (bytes[32] & Self.verified != 0, bytes[32] & Self.synced == Self.synced)
  }

  var data: Data {
    let flags = Self.present | (isVerified ? Self.verified : 0) | (isSynced ? Self.synced : 0)
    return Data(hash + [flags, 0, 0, 0, 0])
  }

  /// The SHA-256 of a text.
  static func hash(of text: String) -> [UInt8] { Array(AttestedRequest.hash(of: text)) }
}
