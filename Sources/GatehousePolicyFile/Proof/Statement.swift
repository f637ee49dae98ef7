package import GatehousePolicy

/// A statement of a file's section `always`: what holds for every request and every account, not for tested ones.
package struct Statement: Sendable {
  package enum Claim: Sendable {
    /// No step leads to an account of this kind.
    case never(Kind)
    /// Every account that its owner made keeps a way.
    case every(Goal)
    /// Each request that is allowed now was allowed by another revision.
    case notWeakerThan(Baseline)
  }

  package enum Goal: Sendable, Hashable {
    /// A way to sign in: a password, a provider, or a mailed reset.
    case signIn
    /// A mailed reset of the password.
    case resetPassword
    /// Steps of the owner that lead to full access.
    case fullAccess
  }

  package enum Baseline: Sendable, Hashable {
    case live
    case revision(Int)

    /// As the file writes it.
    package var text: String {
      switch self {
      case .live: "live"
      case .revision(let number): String(number)
      }
    }
  }

  package let name: String
  package let claim: Claim
  /// Whether accounts begin in any state that could be stored; otherwise the first step makes the account.
  package let startsAnywhere: Bool
  package let range: SourceRange
}

extension Statement {
  /// Accounts and steps that a `never` is about. Every part that is given must hold.
  package struct Kind: Sendable {
    package var access: Access?
    package var email: Domains?
    package var emailVerified: Bool?
    package var isAdmin: Bool?
    /// The writer of the step that brought it about.
    package var writer: Writer?
    package var stored: [(field: String, value: Stored)] = []
    /// The door that let the step through.
    package var door: Door?
  }

  package enum Writer: String, Sendable, CaseIterable { case user, admin, provider }

  /// Addresses by their domains.
  package struct Domains: Sendable {
    package let patterns: [DomainPattern]
    package let isInside: Bool

    /// Whether an address, as it is stored, is one of them.
    func hold(_ email: String, using source: some FactSource) -> Bool {
      let domain = String(email.utf8.lastIndex(of: UInt8(ascii: "@")).map { email[email.index(after: $0)...] } ?? "")
      let isCovered = patterns.contains { pattern in
        let name = pattern.domain.utf8.allSatisfy { $0 < 0x80 } ? pattern.domain : source.asciiDomain(pattern.domain)
        return name.flatMap { DomainPattern((pattern.subdomainsOnly ? "*." : "") + $0) }?.covers(domain) ?? false
      }
      return isCovered == isInside
    }
  }

  /// A stored value of a field.
  package enum Stored: Sendable {
    /// Text that is no telephone number in the form of E.164.
    case notE164
    case absent
    case equal(FieldValue)
    case outside([FieldValue])

    /// Whether a stored value, nil for none, is one of them.
    func holds(_ value: FieldValue?) -> Bool {
      let value = value == .null ? nil : value
      switch self {
      case .absent: return value == nil || value == .string("")
      case .equal(let wanted): return value?.isSame(as: wanted) ?? false
      case .outside(let values): return value.map { value in !values.contains { $0.isSame(as: value) } } ?? false
      case .notE164:
        guard let value, value != .string("") else { return false }
        return !(value.string.map(Self.isE164) ?? false)
      }
    }

    /// `+`, a digit from 1 to 9, and at most 15 digits in all.
    static func isE164(_ text: String) -> Bool {
      let digits = text.utf8.dropFirst()
      return text.utf8.first == UInt8(ascii: "+") && (2...15).contains(digits.count)
        && digits.first != UInt8(ascii: "0")
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
  }
}
