package import GatehousePolicy
package import GatehousePrimitives

/// The facts that rules need, from the real libraries and the lists the operator configured.
package struct LibraryFacts: FactSource {
  /// The name of the list of throw-away mail domains.
  package static let disposable = "disposable"

  private let lists: [String: PasswordList]
  private let disposable: DomainList?

  /// `lists` by the names that policies use: `common`, `breached`. `disposable`: throw-away mail domains; nil where
  /// that list is not there.
  package init(lists: [String: PasswordList], disposable: DomainList? = nil) {
    self.lists = lists
    self.disposable = disposable
  }

  package func isListed(_ password: String, list: String) -> Bool? { lists[list]?.contains(password) }

  package func isDisposable(_ domain: String) -> Bool? { disposable?.contains(domain) }

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
