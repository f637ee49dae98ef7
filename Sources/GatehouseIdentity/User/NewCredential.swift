import Foundation
import GatehousePrimitives

/// The credential that a sign-up makes an account with.
enum NewCredential {
  /// The hash of a password.
  case password(phc: String)
  /// A passkey of the account, and whether it verified its user as the account was made.
  case passkey(Passkey, isUserVerified: Bool)

  /// The account as it is with it.
  func applied(to user: StoredUser, at now: Date) -> StoredUser {
    var after = user
    switch self {
    case .password: after.passwordChangedAt = now
    case .passkey(let passkey, _):
      after.id = passkey.user
      after.factors = [Proof.Method.passkey.name]
    }
    return after
  }

  /// The writes of the credential; they follow those of the account.
  func changes(of user: UserID, _ call: Call, _ services: Services) -> [Change] {
    switch self {
    case .password(let phc): [.user(.setPassword(user, phc: phc))]
    case .passkey(let passkey, _):
      [
        .factor(.addPasskey(passkey)),
        .audit(
          call.entry(
            .factorAdded, services, actor: .user(user), user: user, details: ["kind": Proof.Method.passkey.name])),
      ]
    }
  }

  /// Proofs of the credential in the request that makes the account.
  func proofs(of user: UserID, _ call: Call) -> Proofs {
    switch self {
    case .password: Proofs(of: user, by: .password, call)
    case .passkey(let passkey, let isUserVerified):
      Proofs(of: user, by: .passkey, factor: passkey.id, isUserVerified: isUserVerified, call)
    }
  }
}

/// A passkey as it is kept, sealed, until the address of its sign-up is proven. Bytes are unpadded base64url.
struct WaitingPasskey: Codable {
  private var id: UUID
  private var user: UUID
  private var credentialID: String
  private var rpID: String
  private var publicKey: String
  private var algorithm: Int64
  private var signCount: Int64
  private var model: String
  private var isAttested: Bool
  private var isBackupEligible: Bool
  private var isBackedUp: Bool
  private var transports: [String]
  private var name: String?

  init(_ passkey: Passkey) {
    id = passkey.id
    user = passkey.user.uuid
    credentialID = Base64URL.encode(passkey.credentialID)
    rpID = passkey.rpID
    publicKey = Base64URL.encode(passkey.publicKey)
    algorithm = Int64(passkey.algorithm)
    signCount = Int64(passkey.signCount)
    model = Base64URL.encode(passkey.model)
    isAttested = passkey.isAttested
    isBackupEligible = passkey.isBackupEligible
    isBackedUp = passkey.isBackedUp
    transports = passkey.transports
    name = passkey.name
  }

  /// The passkey as it is stored at this moment; nil for bytes that cannot be read.
  func passkey(at now: Date) -> Passkey? {
    guard let credentialID = Base64URL.decode(credentialID), let publicKey = Base64URL.decode(publicKey),
      let model = Base64URL.decode(model)
    else { return nil }
    return Passkey(
      id: id, user: UserID(user), credentialID: credentialID, rpID: rpID, publicKey: publicKey,
      algorithm: Int(algorithm), signCount: UInt32(clamping: signCount), model: model, isAttested: isAttested,
      isBackupEligible: isBackupEligible, isBackedUp: isBackedUp, transports: transports, name: name, createdAt: now,
      lastUsedAt: now)
  }
}
