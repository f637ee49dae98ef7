import GatehouseIdentity
import GatehousePolicy

extension Visit {
  /// The field for an address that the account is to have, with what the policy says of the domains that it takes.
  func newAddress(_ label: String, value: String = "", autocomplete: String = "email", at door: Door = .changeEmail)
    -> FormField
  {
    var field = FormField(name: "email", label: label, kind: .email, value: value, autocomplete: autocomplete)
    let rules = ShownRules(policy, at: call.now).now.filter { $0.pointer == Pointer.email }
    let hints = rules.filter { $0.kind == "allowed_domains" }.compactMap { $0.message.text(in: [words.language]) }
    field.checks = rules.filter { $0.doors.contains(door) }.compactMap { $0.check(in: words.language) }
    if !hints.isEmpty { field.hint = "\(hints.joined(separator: " · "))" }
    return field
  }
}
