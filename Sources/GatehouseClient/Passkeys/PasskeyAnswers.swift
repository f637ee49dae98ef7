public import Foundation
import GatehouseWire

/// A new passkey, as the system answers it: the members of `ASAuthorizationPublicKeyCredentialRegistration`.
public struct PasskeyRegistration: Sendable, Hashable {
  /// The passkey's id.
  public var credentialID: Data
  /// The system's statement of what the passkey was made for, as its bytes came.
  public var clientDataJSON: Data
  /// The authenticator's statement about the passkey.
  public var attestationObject: Data
  /// Ways to reach the authenticator: `internal`, `hybrid`, `usb` and others.
  public var transports: [String]

  /// A new passkey.
  public init(credentialID: Data, clientDataJSON: Data, attestationObject: Data, transports: [String] = []) {
    (self.credentialID, self.clientDataJSON) = (credentialID, clientDataJSON)
    (self.attestationObject, self.transports) = (attestationObject, transports)
  }

  /// The answer of `navigator.credentials.create` in a web view, `RegistrationResponseJSON` of WebAuthn; nil for
  /// another text.
  public init?(json: String) {
    guard let answer = try? JSONDecoder().decode(RegistrationAnswer.self, from: Data(json.utf8)) else { return nil }
    self.init(
      credentialID: Data(answer.id), clientDataJSON: Data(answer.clientData),
      attestationObject: Data(answer.attestationObject), transports: answer.transports)
  }

  var answer: RegistrationAnswer {
    RegistrationAnswer(
      id: Array(credentialID), clientData: Array(clientDataJSON), attestationObject: Array(attestationObject),
      transports: transports)
  }
}

/// A use of a passkey, as the system answers it: the members of `ASAuthorizationPublicKeyCredentialAssertion`.
public struct PasskeyAssertion: Sendable, Hashable {
  /// The passkey's id.
  public var credentialID: Data
  /// The system's statement of what the passkey was used for, as its bytes came.
  public var clientDataJSON: Data
  /// The authenticator's statement about the use.
  public var authenticatorData: Data
  /// The signature over both.
  public var signature: Data
  /// The bytes by which the passkey knows its account. A sign-in needs them.
  public var userHandle: Data?

  /// A use of a passkey.
  public init(
    credentialID: Data, clientDataJSON: Data, authenticatorData: Data, signature: Data, userHandle: Data? = nil
  ) {
    (self.credentialID, self.clientDataJSON) = (credentialID, clientDataJSON)
    (self.authenticatorData, self.signature, self.userHandle) = (authenticatorData, signature, userHandle)
  }

  /// The answer of `navigator.credentials.get` in a web view, `AuthenticationResponseJSON` of WebAuthn; nil for another
  /// text.
  public init?(json: String) {
    guard let answer = try? JSONDecoder().decode(AuthenticationAnswer.self, from: Data(json.utf8)) else { return nil }
    self.init(
      credentialID: Data(answer.id), clientDataJSON: Data(answer.clientData),
      authenticatorData: Data(answer.authenticatorData), signature: Data(answer.signature),
      userHandle: answer.userHandle.map { Data($0) })
  }

  var answer: AuthenticationAnswer {
    AuthenticationAnswer(
      id: Array(credentialID), clientData: Array(clientDataJSON), authenticatorData: Array(authenticatorData),
      signature: Array(signature), userHandle: userHandle.map { Array($0) })
  }
}

/// A registration shows nothing.
extension PasskeyRegistration: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "PasskeyRegistration(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An assertion is a proof: it shows nothing.
extension PasskeyAssertion: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "PasskeyAssertion(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
