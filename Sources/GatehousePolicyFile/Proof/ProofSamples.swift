import Foundation
import GatehousePolicy

/// Values that pass, for what a statement does not vary.
struct ProofSamples: Sendable {
  var email: String
  var password: String
  var profile: [String: FieldValue]

  /// Values that the policy admits at the doors where accounts are made, as far as there are any.
  init(_ policy: Policy, at instant: Date, using source: any FactSource) {
    email = Samples.email(policy)
    password = Self.passwords[0]
    profile = [:]
    for field in policy.profile.fields where field.defaultValue == nil {
      profile[field.name] = Self.value(field, policy, at: instant, source)
    }
    let slice = policy.slice(of: [.email])
    func isGood(_ email: String) -> Bool {
      [Door.signUp, .link].allSatisfy { door in
        let facts = Facts(
          email: email, password: Self.passwords[0], provider: door == .link ? ProviderFacts(name: "") : nil)
        return slice.decide(door, facts, at: instant, using: source).allow
      }
    }
    if !isGood(email) { email = Classes(policy).addresses(at: []).first(where: isGood) ?? email }
    let (address, values) = (email, profile)
    password =
      Self.passwords.first { password in
        let stored = StoredFacts(email: address, profile: values)
        let facts = Facts(password: password, stored: stored)
        return policy.decide(.setPassword, facts, at: instant, using: source).allow
      } ?? password
  }

  /// Passwords of several lengths; each has every class of characters, and is easy for no one to guess.
  static let passwords = [
    "Tallgrass-Prairie-2031=", "Qx7#vLp2Wm", "Qx7#vL", "q7X=", "Gq8=zR4k-Wf2pLx9.Tm5vBs7_Hd3nYc6JuQe1oA",
    String(repeating: "Gq8=zR4kWf2pLx9vTm5vBs7", count: 6),
  ]

  private static func value(_ field: Field, _ policy: Policy, at instant: Date, _ source: any FactSource) -> FieldValue?
  {
    var slice = policy.slice(of: [.field(field.name)])
    slice.access.full = []
    return ([Samples.value(field)] + Classes(policy).values(of: field, about: nil).found.compactMap { $0 }).first {
      guard $0 != .null, $0 != .string("") else { return false }
      let facts = Facts(profile: [field.name: $0], writer: .admin, stored: StoredFacts(email: nil))
      return slice.decide(.adminUpdate, facts, at: instant, using: source).allow
    }
  }
}

/// Answers of lists and libraries that let a request pass. A proof from them is sound: a request that passes with the
/// real ones passes with these. A refutation is confirmed with the real ones.
struct PassingFacts: FactSource {
  let source: any FactSource

  func isListed(_ password: String, list: String) -> Bool? { false }
  func strength(of password: String, inputs: [String]) -> Int? { 4 }
  func isReused(_ password: String, last: Int) -> Bool? { false }
  func isDisposable(_ domain: String) -> Bool? { false }
  func phone(_ raw: String, region: String) -> PhoneFact? { source.phone(raw, region: region) }
  func asciiDomain(_ domain: String) -> String? { source.asciiDomain(domain) }
}
