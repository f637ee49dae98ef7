/// Answers about the examples of a proof from what they declare: the estimate, lists and history of the one password,
/// throw-away domains, and numbers of each region. Asks another source for the rest.
package struct WitnessFacts: FactSource {
  private let base: any FactSource
  private let password: PasswordWitness?

  /// `password` is the one under judgement; nil: that of no example, of which the base knows.
  package init(_ base: any FactSource, password: PasswordWitness? = nil) {
    self.base = base
    self.password = password
  }

  /// The same source for another password.
  package func about(_ password: PasswordWitness?) -> WitnessFacts { WitnessFacts(base, password: password) }

  package func isListed(_ text: String, list: String) -> Bool? {
    password.map { $0.lists.contains(list) } ?? base.isListed(text, list: list)
  }

  package func strength(of text: String, inputs: [String]) -> Int? {
    password?.strength ?? base.strength(of: text, inputs: inputs)
  }

  package func isReused(_ text: String, last: Int) -> Bool? {
    guard let password else { return base.isReused(text, last: last) }
    return password.place.map { $0 < last } ?? false
  }

  /// Without a list in the base, no domain but that of the examples is one. A server without a list refuses each.
  package func isDisposable(_ domain: String) -> Bool? {
    Text.same(domain, Witness.disposableDomain) ? true : base.isDisposable(domain) ?? false
  }

  package func phone(_ raw: String, region: String) -> PhoneFact? {
    let fact = base.phone(raw, region: region)
    return fact?.e164 == nil ? PhoneExamples.fact(raw) ?? fact : fact
  }

  package func asciiDomain(_ domain: String) -> String? { base.asciiDomain(domain) }
}
