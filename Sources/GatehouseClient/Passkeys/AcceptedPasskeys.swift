public import Foundation
import GatehouseWire

/// The passkeys of an account as the server has them, for the person's passkey manager: it hides others of this
/// account, and shows the account's name of now.
public struct AcceptedPasskeys: Sendable, Hashable {
  /// The domain that the passkeys are for.
  public var relyingParty: String
  /// The bytes by which the passkeys know their account.
  public var userID: Data
  /// The ids of all passkeys of the account at this relying party.
  public var credentialIDs: [Data]
  /// The account's name.
  public var userName: String

  /// The passkeys of an account.
  public init(relyingParty: String, userID: Data, credentialIDs: [Data], userName: String) {
    (self.relyingParty, self.userID) = (relyingParty, userID)
    (self.credentialIDs, self.userName) = (credentialIDs, userName)
  }

  init(_ signal: PasskeySignal) {
    self.init(
      relyingParty: signal.rpID, userID: Data(signal.userID), credentialIDs: signal.accepted.map { Data($0) },
      userName: signal.userName)
  }
}

/// It names a person: it shows nothing.
extension AcceptedPasskeys: CustomStringConvertible, CustomReflectable {
  /// The type's name.
  public var description: String { "AcceptedPasskeys(…)" }
  /// Nothing within.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
