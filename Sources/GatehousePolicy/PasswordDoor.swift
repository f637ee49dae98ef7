/// The password door: every way to use or to set a password.
extension Policy {
  /// Whether the door is open. Features, documents and tests ask this, and never the file.
  public var hasPassword: Bool { providers.contains { $0.name == "password" && $0.use == .signIn } }

  /// Whether nothing comes in through `door` because the password door is closed. `sign_in` and `admin_create` are
  /// doors of others as well, and closed to a password alone. So is `sign_up` where passkeys make accounts.
  /// - Parameter withPasskey: Whether a passkey comes in the place of a password.
  public func isClosed(_ door: Door, withPassword: Bool, withPasskey: Bool = false) -> Bool {
    guard !hasPassword else { return false }
    if door == .signUp, withPasskey, !withPassword { return !uses(passkeysFor: .signUp) }
    return DoorSet.passwordOnly.contains(door) || (withPassword && DoorSet.password.contains(door))
  }

  /// The reason for which the password door is closed, with its line.
  public var passwordClosure: String {
    let line = providersPosition.line
    return "providers:\(line > 0 ? " (line \(line))" : "") does not name password"
  }
}

extension DoorSet {
  /// Doors that no request passes without a password.
  public static let passwordOnly = DoorSet([.signUp, .setPassword, .resetPassword])
}
