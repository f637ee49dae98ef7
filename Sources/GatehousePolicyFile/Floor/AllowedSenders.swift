package import GatehousePolicy

/// A sender that an operator allows to one tenant or to all: an address, or every address of a domain.
package struct SenderPattern: Sendable, Equatable, CustomStringConvertible {
  /// Nil: every tenant.
  private let tenant: String?
  /// Nil: every address of the domain.
  private let local: String?
  private let domain: DomainPattern

  /// Reads `no-reply@example.com`, `example.com`, `*@example.com` (the same) or `*.example.com`, and before each a
  /// tenant, as in `dd-ride:example.com`; all in ASCII. Nil for anything else.
  package init?(_ text: String) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    tenant = parts.count == 2 ? parts[0] : nil
    guard tenant != "", let pattern = parts.last else { return nil }
    let halves = pattern.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    if halves.count == 2, halves[0] != "*" {
      guard let address = EmailAddress(pattern, normalize: .lowercase, asciiDomain: { _ in nil }),
        let domain = DomainPattern(address.domain)
      else { return nil }
      (local, self.domain) = (address.local, domain)
      return
    }
    // No operator owns a whole top-level domain.
    guard halves.count <= 2, let last = halves.last, let domain = DomainPattern(last), domain.domain.contains(".")
    else {
      return nil
    }
    (local, self.domain) = (nil, domain)
  }

  /// Without regard to case.
  func holds(_ address: EmailAddress) -> Bool {
    guard local == nil || local == address.local else { return false }
    return domain.covers(address.domain)
  }

  /// Whether the line applies to this tenant.
  func isFor(_ tenant: String) -> Bool { self.tenant == nil || self.tenant == tenant }

  package var description: String { (tenant.map { "\($0):" } ?? "") + pattern }

  /// Without the tenant, as a tenant reads it.
  var pattern: String { local.map { "\($0)@\(domain)" } ?? domain.description }
}

/// The senders that policies may name, and the server's own.
package struct AllowedSenders: Sendable {
  /// The address of mails whose policy names none, and of every envelope: bounces come back to it.
  package let own: String
  private let patterns: [SenderPattern]

  /// Without patterns a policy may name the server's own address and no other.
  package init(own: String, patterns: [SenderPattern] = []) {
    self.own = own
    self.patterns = patterns
  }

  /// The address that a policy names and this server does not send from; nil where it sends as the policy says.
  package func refused(_ policy: Policy) -> String? {
    guard let written = policy.mail.from.address, written.lowercased() != own.lowercased() else { return nil }
    let address = EmailAddress(written, normalize: .lowercase, asciiDomain: { _ in nil })
    guard let address,
      allowed(policy).contains(where: { $0.holds(address) })  // GUARD: mail: a sender that the operator allows
    else { return written }
    return nil
  }

  /// The address that mails of a tenant come from: the policy's where it is allowed, else the server's, so that no mail
  /// is lost.
  package func address(_ policy: Policy) -> String {
    // GUARD: mail: a stored sender that is no longer allowed
    guard refused(policy) == nil else { return own }
    return policy.mail.from.address ?? own
  }

  private func allowed(_ policy: Policy) -> [SenderPattern] {
    patterns.filter { $0.isFor(policy.tenant) }  // GUARD: mail: a sender of one tenant is no other's
  }

  /// The remedy for a refused address. It names the addresses that this tenant may use, and none of the others.
  package func advice(_ policy: Policy) -> String {
    let allowed = ([own] + allowed(policy).map(\.pattern)).joined(separator: ", ")
    return
      "allowed here: \(allowed); leave address: out (the name alone needs no permission), or have the operator add it to "
      + "mail.allowed_from"
  }

  /// Reports an address that the server does not send from.
  func judge(_ file: PolicyFile, into sink: Diagnostics) {
    guard let written = refused(file.policy) else { return }
    let node = file.document.root?["mail"]?["from"]?["address"]
    sink.error(
      .senderNotAllowed, "this server does not send mail from \(quoted(written))", at: node?.range ?? .top,
      notes: [.init(advice(file.policy))])
  }
}
