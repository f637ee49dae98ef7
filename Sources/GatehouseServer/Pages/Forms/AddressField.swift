import GatehouseIdentity
import GatehousePolicy

extension Visit {
  /// The field for an address that the account is to have, with what the policy says of the domains that it takes.
  func newAddress(_ label: String, value: String = "", autocomplete: String = "email") -> FormField {
    var field = FormField(name: "email", label: label, kind: .email, value: value, autocomplete: autocomplete)
    let rules = policy.publicRules(at: call.now).filter {
      $0.pointer == Pointer.email && $0.enforce == .enforce && $0.kind == "allowed_domains"
    }
    let hints = rules.compactMap { $0.message.text(in: [words.language]) }
    if !hints.isEmpty { field.hint = "\(hints.joined(separator: " · "))" }
    return field
  }
}
