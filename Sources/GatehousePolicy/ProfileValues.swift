/// The relation of a reader to a profile.
public enum Viewer: Sendable, Hashable, CaseIterable {
  /// The person.
  case `self`
  /// Another signed-in user of the tenant.
  case user
  case admin
}

extension Field {
  /// Whether `viewer` sees it.
  public func isVisible(to viewer: Viewer) -> Bool {
    switch viewer {
    case .admin: true
    case .`self`: visibleTo != .admin  // GUARD: fields: what administrators see alone
    case .user: visibleTo == .users
    }
  }
}

extension Policy {
  /// The fields that go into the access token (`claim: true`).
  public func claims(of profile: [String: FieldValue]) -> [String: FieldValue] {
    var claims: [String: FieldValue] = [:]
    for field in self.profile.fields where field.claim {
      if let value = profile[field.name], value != .null { claims[field.name] = value }
    }
    return claims
  }

  /// The key that the store keeps unique within the tenant for this value of a field: equal keys (byte for byte) are
  /// the same value. Nil where the field is not unique or has no value. Width is folded, and what shows nothing left
  /// out; `unique: ignore_case` folds case by Unicode's full mappings, in NFC and without any locale; with
  /// `charset: letters` marks are left out as well.
  public func uniqueKey(for field: String, value: FieldValue) -> String? {
    guard let field = profile.field(field), let unique = field.unique else { return nil }
    switch value {
    case .null, .unsupported: return nil
    case .boolean(let flag): return String(flag)
    case .integer(let number): return String(number)
    case .string(let text):
      return UniqueText.key(text, ignoringCase: unique == .ignoreCase, ignoringMarks: field.ignoresMarks)
    }
  }

  /// Whether a stored profile makes its owner an administrator of the tenant. A condition on a field that users other
  /// than administrators may write never holds.
  public func isAdministrator(profile: [String: FieldValue]) -> Bool {
    guard let admins, !admins.when.isEmpty else { return false }
    return holds(admins.when, of: profile)
  }

  /// Whether a stored profile meets all of these conditions.
  func holds(_ conditions: [Admins.Condition], of profile: [String: FieldValue]) -> Bool {
    conditions.allSatisfy { condition in
      guard let field = self.profile.field(condition.field), field.write == .admin else { return false }
      return condition.value != .null && (profile[condition.field] ?? .null).isSame(as: condition.value)
    }
  }

  /// Whether a stored profile gives its owner this right over other users of the tenant.
  public func may(_ right: Admins.Right, profile: [String: FieldValue]) -> Bool {
    guard let admins, admins.may.contains(right) else { return false }
    return isAdministrator(profile: profile)
  }
}
