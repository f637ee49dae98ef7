import GatehousePolicy

/// The message with a link to set a password, as an operator sends it. No operator reads or sets a password.
enum PasswordLink {
  static func message(_ kind: MessageKind, to user: StoredUser, _ seen: Call, _ services: Services) throws -> [Change] {
    guard let email = user.email else {
      throw OperatorError(.refused, "\(user.reference) of \(seen.tenant.name) has no address to mail to")
    }
    let ttl = kind == .setPassword ? seen.policy.verification.email.linkTTL : PasswordReset.linkTTL(seen.policy)
    var request = CodeRequest(.setPassword, kind, to: .email(email), user: user.id, linkTTL: ttl)
    request.only = .link
    request.bounds = .operators
    return try Messaging.code(request, seen, services).changes
  }
}
