import Foundation
import GatehousePolicy

/// Inputs for passwords.
struct PasswordFields {
  let policy: Policy
  let words: HostedWords
  let now: Date

  /// The password that the account has.
  func current(_ name: SecretField = .password, label: String? = nil) -> FormField {
    FormField(
      name: name.rawValue, label: label ?? words.forms.password, kind: .password, autocomplete: "current-password")
  }

  /// The same beside the name of the account.
  func current(of email: String?, _ name: SecretField = .password, label: String? = nil) -> [FormField] {
    [username(email), current(name, label: label)]
  }

  /// A new password beside the name of the account.
  func new(of email: String?, _ name: SecretField = .password, label: String? = nil) -> [FormField] {
    [username(email)] + new(name, label: label)
  }

  /// The name beside a password, for password managers, which keep the two together. People do not see it.
  private func username(_ email: String?) -> FormField {
    FormField(name: "username", label: "", kind: .username, value: email ?? "", autocomplete: "username")
  }

  /// A new password with what the policy asks of it, and again where the policy says so.
  func new(_ name: SecretField = .password, label: String? = nil) -> [FormField] {
    let rules = ShownRules(policy, at: now)
    let told = rules.now.filter {
      $0.pointer == Pointer.password && $0.kind != "required" && !Self.isNeverMet($0)
    }
    // The rule that users break most often comes first.
    let sorted = told.filter { $0.kind != "max_length" } + told.filter { $0.kind == "max_length" }
    let lines = sorted.map { rule in
      Checklist.Line(
        rule: rule.id, text: rule.message.text(in: [words.language]) ?? rule.id, isLast: rule.kind == "max_length")
    }
    let first = FormField(
      name: name.rawValue, label: label ?? words.forms.newPassword, kind: .password,
      checklist: Checklist(lines: lines, words: words.forms, later: rules.soon(at: Pointer.password, words)),
      autocomplete: "new-password",
      passwordRules: policy.passwordRules(at: now))
    let again = FormField(
      name: SecretField.again.rawValue, label: words.forms.again, kind: .password, autocomplete: "new-password",
      checks: [.init(kind: .same, value: name.rawValue, told: words.forms.differ)])
    return policy.password.isRepeated ? [first, again] : [first]
  }

  /// The fields of the passwords that were sent, to be typed again.
  func again(_ typed: Typed) -> [FormField] {
    let isNew = typed.given(SecretField.again.rawValue) != nil
    return typed.passwords.map { field in
      let isCurrent = field == .current || !isNew
      let label =
        switch field {
        case .current: words.password.current
        case .again: words.forms.again
        case .password, .newPassword, .code: isCurrent ? words.forms.password : words.forms.newPassword
        }
      return FormField(
        name: field.rawValue, label: label, kind: .password,
        autocomplete: isCurrent ? "current-password" : "new-password")
    }
  }

  /// Whether the rule is a bound that hardly any password comes near.
  private static func isNeverMet(_ rule: PublicRule) -> Bool {
    guard rule.kind == "max_length", case .integer(let most)? = rule.params["max"] else { return false }
    return most >= 64
  }

  /// The problem of two passwords that differ; nil where they are the same.
  func difference(_ typed: Typed, _ name: SecretField = .password) -> FormProblem? {
    !policy.password.isRepeated || typed[name.rawValue].utf8.elementsEqual(typed[SecretField.again.rawValue].utf8)
      ? nil : FormProblem(field: SecretField.again.rawValue, message: words.forms.differ)
  }
}
