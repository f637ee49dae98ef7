package import GatehousePolicy
package import GatehousePrimitives

/// What rules need from a library, from the real libraries and the lists the operator configured.
package struct LibraryFacts: FactSource {
  private let lists: [String: PasswordList]

  /// `lists` by the names that policies use: `common`, `breached`.
  package init(lists: [String: PasswordList]) { self.lists = lists }

  package func isListed(_ password: String, list: String) -> Bool? { lists[list]?.contains(password) }

  package func strength(of password: String, inputs: [String]) -> Int? {
    PasswordStrength.score(password, words: inputs)
  }

  package func phone(_ raw: String, region: String) -> PhoneFact? {
    guard PhoneNumber.knows(region: region) else { return nil }
    guard let number = PhoneNumber(raw, region: region) else { return PhoneFact(e164: nil) }
    return PhoneFact(e164: number.e164, region: number.region, isPossible: true, isValid: true)
  }

  package func asciiDomain(_ domain: String) -> String? { DomainName.ascii(domain) }
}
