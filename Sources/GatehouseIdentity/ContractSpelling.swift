package import GatehousePrimitives
import GatehouseWire

extension MemberSpelling {
  /// The spelling of the contract's types. Stored values are spelled as they are declared.
  package static let contract = MemberSpelling(ContractJSON.spelled)
}
