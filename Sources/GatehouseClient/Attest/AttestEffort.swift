/// The doors of the contract that may demand an attested app.
enum AttestDoor: Sendable {
  case signUp
  case signIn
  /// A sign-in by a provider may sign up or in: it demands an assertion where either door does.
  case provider

  /// Whether a policy with these doors in its section demands an assertion here.
  func isDemanded(by doors: Set<String>) -> Bool {
    switch self {
    case .signUp: doors.contains("sign_up")
    case .signIn: doors.contains("sign_in")
    case .provider: !doors.isDisjoint(with: ["sign_up", "sign_in"])
    }
  }
}

/// One call at such a door: what it learned on its way. A door that turns out to demand an assertion gets the request
/// once more with one, and one that refuses it once more with another one; at most one key is made for that.
struct AttestEffort: Sendable {
  let desk: AttestDesk
  /// Whether the request carries an assertion.
  var isDemanded: Bool
  /// Whether the key is one that this call waited for.
  var hasNewKey = false
  /// The key, and the end of the challenge, of the request that was sent last.
  var used: (key: String, until: Duration)?
  private var isRenewed = false

  init(_ desk: AttestDesk, isDemanded: Bool) {
    self.desk = desk
    self.isDemanded = isDemanded
  }

  /// The key that a refusal at this time is about; nil where the challenge was too old, or the key is new.
  func refusedKey(at uptime: Duration) -> String? {
    guard let used, !hasNewKey, uptime < used.until else { return nil }
    return used.key
  }

  /// Whether the request is sent once more after this refusal.
  mutating func repeats(after code: AuthError.Code) -> Bool {
    guard desk.isSupported else { return false }
    switch code {
    case .attestRequired:
      defer { isDemanded = true }
      return !isDemanded
    case .attestInvalid:
      // A registration that was refused would be again.
      guard used != nil else { return false }
      defer { isRenewed = true }
      // GUARD: client: a refused assertion is repeated once
      return !isRenewed
    default: return false
    }
  }
}
