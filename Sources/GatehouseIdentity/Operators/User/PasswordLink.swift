import GatehousePolicy

/// The mail with a link to set a password, as an operator sends it. No operator reads or sets a password.
enum PasswordLink {
  static func mail(_ mail: MailKind, to user: StoredUser, _ seen: Call, _ services: Services) throws -> [Change] {
    let ttl = mail == .setPassword ? seen.policy.verification.email.linkTTL : PasswordReset.linkTTL(seen.policy)
    var request = CodeRequest(.setPassword, mail, to: user.email, user: user.id, linkTTL: ttl)
    request.only = .link
    request.bounds = .operators
    return try Mailing.code(request, seen, services).changes
  }
}
