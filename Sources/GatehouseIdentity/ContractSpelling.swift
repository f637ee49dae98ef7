package import GatehousePrimitives
import GatehouseWire

extension MemberSpelling {
  /// As the contract spells its types. What is stored otherwise is spelled as it is declared.
  package static let contract = MemberSpelling(ContractJSON.spelled)
}
