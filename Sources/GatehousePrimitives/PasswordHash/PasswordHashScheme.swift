/// One way of storing passwords: how to recognise a stored hash, how to check a password against it, and within which
/// limits. A scheme for new hashes offers its own `hash`; imported schemes only verify.
package protocol PasswordHashScheme: Sendable {
  /// Its name in logs and counts.
  var name: String { get }

  /// Whether this stored hash is of this scheme and within its limits. Cheap, total, and true for at most one scheme.
  func recognises(_ stored: String) -> Bool

  /// Whether `password` is the one. False for a hash that is not recognised. The work depends on the stored parameters
  /// only.
  func verifies(_ password: [UInt8], against stored: String) -> Bool

  /// Whether a hash made today would look different, so that the next successful sign-in should store a new one.
  func needsRehash(_ stored: String) -> Bool
}

/// Every scheme, and what to do with a password.
package enum PasswordHashes {
  /// In the order in which they are tried. The first makes new hashes.
  package static let all: [any PasswordHashScheme] = [Argon2id.current]

  /// A stored hash of no password, made like new ones, to be checked for accounts that do not exist: the work is the same.
  package static let dummy = Argon2id.current.text(
    salt: Array("no such account!".utf8), hash: SHA256.digest("no password hashes to this"))

  /// A new hash, to be stored.
  /// - Throws: `CryptoError.libraryFailure` when there is no memory.
  package static func hash(_ password: Password) throws(CryptoError) -> String {
    try Argon2id.current.hash(password)
  }

  /// Whether a hash made today would look different from this one.
  static func needsRehash(_ stored: String) -> Bool {
    all.first { $0.recognises(stored) }?.needsRehash(stored) ?? false
  }

  /// Checks `password`. With `nil`, or a stored hash nobody recognises, the dummy is hashed instead and the answer is
  /// never `matches`: time tells nothing about the account.
  package static func verify(_ password: Password, against stored: String?) -> PasswordVerdict {
    guard let stored, let scheme = all.first(where: { $0.recognises(stored) }) else {
      _ = password.bytes.expose { Argon2id.current.verifies($0, against: dummy) }
      return stored == nil ? .differs : .unreadable
    }
    guard password.bytes.expose({ scheme.verifies($0, against: stored) }) else { return .differs }
    return .matches(needsRehash: scheme.needsRehash(stored))
  }
}

/// The outcome of checking a password.
package enum PasswordVerdict: Equatable, Sendable {
  /// The right password; when `needsRehash`, store a new hash of it in the same transaction.
  case matches(needsRehash: Bool)
  /// The wrong password, or no account.
  case differs
  /// The stored hash is of no known scheme or out of bounds: an operator's problem, for the user as `differs`.
  case unreadable
}
