public import Foundation
import GatehouseWire

/// The options for a use of a passkey: of `AuthClient.startPasskeySignIn()`, of a challenge, or of a fresh proof. An
/// app hands them to the system, which lets the person choose, and the system's answer to the call that they are for.
///
/// It lives in memory alone.
public struct PasskeyRequest: Sendable, Hashable {
  /// Names the use in the next request. A secret of the person's.
  let id: String
  let options: RequestOptions
  /// The time at which it ends, on the clock of the device. It also ends after five refused answers, each of which has
  /// other options in `AuthError.passkey`.
  public let expires: Date
  /// The same for the relying party before this one.
  var formerOptions: RequestOptions?

  /// The same for passkeys of the tenant's relying party before, where these still prove; nil elsewhere. A source of
  /// passkeys offers both at once, and the answer goes to the call of this request.
  public var former: PasskeyRequest? {
    formerOptions.map { PasskeyRequest(id: id, options: $0, expires: expires) }
  }
  /// The domain that the passkeys are for.
  public var relyingParty: String { options.rpID }
  /// The bytes that the passkey signs.
  public var challenge: Data { Data(options.challenge) }
  /// The ids of the passkeys of which one is asked for; none where the person chooses among all of theirs.
  public var allowedCredentials: [Data] { options.allowed.map { Data($0.id) } }
  /// `required` or `preferred`: whether the passkey has to verify its user.
  public var userVerification: String { options.verification }
  /// The same as a text, `PublicKeyCredentialRequestOptionsJSON` of WebAuthn: for a web view.
  public var json: String { options.text }
}

/// The options for a new passkey, by `AuthClient.startPasskey()`. An app hands them to the system, and the system's
/// answer to `AuthClient.addPasskey(_:for:name:)`.
///
/// It lives in memory alone.
public struct PasskeyCreation: Sendable, Hashable {
  /// Names the enrolment in the next request. A secret of the person's.
  let id: String
  let options: CreationOptions
  /// The time at which it ends, on the clock of the device.
  public let expires: Date

  /// The domain that the passkey is for.
  public var relyingParty: String { options.rpID }
  /// The app's name.
  public var relyingPartyName: String { options.rpName }
  /// The bytes by which the passkey knows its account.
  public var userID: Data { Data(options.userID) }
  /// The name of the account that the system shows.
  public var userName: String { options.userName }
  /// The name of the person that the system shows.
  public var displayName: String { options.displayName }
  /// The bytes that the passkey signs.
  public var challenge: Data { Data(options.challenge) }
  /// The kinds of keys that are taken, by their numbers in COSE, the preferred one first.
  public var algorithms: [Int] { options.algorithms.map(Int.init) }
  /// The ids of the passkeys that the account has: their authenticators make no second one.
  public var excludedCredentials: [Data] { options.excluded.map { Data($0.id) } }
  /// `required` or `preferred`: whether the passkey has to verify its user.
  public var userVerification: String { options.verification }
  /// `none` or `direct`: whether the authenticator has to say what it is.
  public var attestation: String { options.attestation }
  /// The same as a text, `PublicKeyCredentialCreationOptionsJSON` of WebAuthn: for a web view.
  public var json: String { options.text }
}

/// Options hold a secret: they show nothing.
extension PasskeyRequest: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "PasskeyRequest(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Options hold a secret: they show nothing.
extension PasskeyCreation: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "PasskeyCreation(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StandardCodable {
  /// The JSON of the standard.
  fileprivate var text: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: (try? encoder.encode(self)) ?? Data(), as: UTF8.self)
  }
}

extension AuthError {
  /// The refusal of an answer under a challenge: the options of the next try are under the same one.
  func under(_ challenge: String, until expires: Date) -> AuthError {
    var error = self
    error.passkey = passkey.map { PasskeyRequest(id: challenge, options: $0.options, expires: expires) }
    return error
  }
}
