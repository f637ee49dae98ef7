package import GatehousePolicy
package import GatehousePrimitives

/// What rules need from a library, from the real libraries and the lists the operator configured.
package struct LibraryFacts: FactSource {
  private let common: PasswordList
  private let breached: PasswordList

  package init(common: PasswordList, breached: PasswordList) {
    self.common = common
    self.breached = breached
  }
}
