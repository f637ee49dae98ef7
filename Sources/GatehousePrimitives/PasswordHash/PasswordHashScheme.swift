/// One way of storing passwords: how to recognise a stored hash, how to check a password against it, and within which
/// limits. A scheme for new hashes offers its own `hash`; imported schemes only verify.
package protocol PasswordHashScheme: Sendable {
  /// Its name in logs and counts.
  var name: String { get }

  /// Whether this stored hash is of this scheme and within its limits. Cheap, total, and true for at most one scheme.
  func recognises(_ stored: String) -> Bool

  /// The work of checking a password against this stored hash, in that of argon2id (`PasswordCost`).
  func work(of stored: String) -> UInt64

  /// Whether `password` is the one. False for a hash that is not recognised. The work depends on the stored parameters
  /// only, and is added to `work`.
  func verifies(_ password: [UInt8], against stored: String, counting work: inout UInt64) -> Bool

  /// Whether a hash made today would look different, so that the next successful sign-in should store a new one.
  func needsRehash(_ stored: String) -> Bool
}

/// Every scheme, and what to do with a password where new hashes have one cost.
struct PasswordHashes: Sendable {
  /// Makes new hashes.
  let current: Argon2id
  /// In the order in which they are tried.
  let all: [any PasswordHashScheme]
  /// A stored hash of no password, made like new ones, to be checked for accounts that do not exist: the work is the
  /// same.
  let dummy: String

  private static let salt = Array("no such account!".utf8)

  init(cost: PasswordCost) {
    current = Argon2id(cost: cost)
    all = [current]
    dummy = current.text(salt: Self.salt, hash: SHA256.digest("no password hashes to this"))
  }

  /// A new hash, to be stored.
  /// - Throws: `CryptoError.libraryFailure` when there is no memory.
  func hash(_ password: Password, counting work: inout UInt64) throws(CryptoError) -> String {
    try current.hash(password, counting: &work)
  }

  /// Checks `password`. With `nil`, or a stored hash that no scheme recognises, the dummy is hashed instead and the
  /// answer is never `matches`: time tells nothing about the account.
  ///
  /// A password that differs takes at least the work of a new hash: what a cheaper stored hash leaves of it is done
  /// besides. A dearer stored hash takes its own, longer time: where the cost was lowered, time tells accounts that
  /// have a password of before from all others, until their next sign-in.
  ///
  /// A password whose earlier form differs takes twice the work in every case, with an account and without: both forms
  /// are hashed. The right one in its earlier form needs a new hash.
  func verify(_ password: Password, against stored: String?, counting work: inout UInt64) -> PasswordVerdict {
    let verdict = verify(password.bytes, against: stored, counting: &work)
    // GUARD: password: the form of before RFC 8265 still matches
    guard let earlier = password.earlier else { return verdict }
    let before = verify(earlier, against: stored, counting: &work)
    if case .matches = verdict { return verdict }
    if case .matches = before { return .matches(needsRehash: true) }
    return verdict
  }

  private func verify(_ password: Secret<[UInt8]>, against stored: String?, counting work: inout UInt64)
    -> PasswordVerdict
  {
    guard let stored, let scheme = scheme(of: stored) else {
      _ = password.expose { current.verifies($0, against: dummy, counting: &work) }
      return stored == nil ? .differs : .unreadable
    }
    guard password.expose({ scheme.verifies($0, against: stored, counting: &work) }) else {
      // GUARD: hash: a cheaper one is no sooner found wrong
      if let rest = current.cost.rest(after: scheme.work(of: stored)) {
        _ = password.expose {
          Argon2id.compute($0, salt: Self.salt, cost: rest, length: 32, counting: &work)
        }
      }
      return .differs
    }
    return .matches(needsRehash: scheme.needsRehash(stored))
  }

  /// Whether a check against `stored` takes no longer than a new hash does.
  func isUsual(_ stored: String?) -> Bool {
    guard let stored, let scheme = scheme(of: stored) else { return true }
    return scheme.work(of: stored) <= current.cost.work
  }

  private func scheme(of stored: String) -> (any PasswordHashScheme)? { all.first { $0.recognises(stored) } }
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
