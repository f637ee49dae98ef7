package import GatehousePolicy
package import GatehousePrimitives

/// The facts that rules need, from the real libraries and the lists the operator configured.
package struct LibraryFacts: FactSource {
  /// The name of the list of throw-away mail domains.
  package static let disposable = "disposable"

  private let lists: [String: PasswordList]
  private let disposable: DomainList?
  private let phoneRanges: PhoneRanges?

  /// The name of the operator's ranges of telephone numbers.
  package static let phoneRangesName = "phone-ranges"

  /// `lists` by the names that policies use: `common`, `breached`. `disposable`: throw-away mail domains; nil where
  /// that list is not there. `phoneRanges`: those that the operator adds to the library's.
  package init(lists: [String: PasswordList], disposable: DomainList? = nil, phoneRanges: PhoneRanges? = nil) {
    self.lists = lists
    self.disposable = disposable
    self.phoneRanges = phoneRanges
  }

  package func isListed(_ password: String, list: String) -> Bool? { lists[list]?.contains(password) }

  package func isDisposable(_ domain: String) -> Bool? { disposable?.contains(domain) }

  package func strength(of password: String, inputs: [String]) -> Int? {
    PasswordStrength.score(password, words: inputs)
  }

  package func phone(_ raw: String, region: String) -> PhoneFact? {
    guard PhoneNumber.knows(region: region) else { return nil }
    guard let number = PhoneNumber(raw, region: region) else { return PhoneFact(e164: nil) }
    // GUARD: phone: the operator's ranges
    let isAdded = number.isPossible && !number.isValid && phoneRanges?.kind(of: number) != nil
    return PhoneFact(
      e164: number.e164, region: number.region, isPossible: number.isPossible, isValid: number.isValid || isAdded,
      hasExtension: number.hasExtension)
  }

  package func asciiDomain(_ domain: String) -> String? { DomainName.ascii(domain) }
}
