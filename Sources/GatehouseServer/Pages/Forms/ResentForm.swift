import GatehouseIdentity
import GatehousePolicy

/// A form as it was sent, for a page that cannot be made now. Passwords are typed again.
extension Visit {
  func screen(resending typed: Typed) -> Screen {
    let open = typed.open.filter { $0.key != "do" }.sorted { $0.key < $1.key }
    let shown = open.compactMap { field($0.key, $0.value) } + passwordFields.again(typed)
    let names = Set(shown.map(\.name))
    // A value that no page has a field for goes along unseen.
    let hidden = open.filter { !names.contains($0.key) }.map { (name: $0.key, value: $0.value) }
    let code = typed.given(SecretField.code.rawValue).map { text in
      [
        FactorForms.isRecovery(typed)
          ? FactorForms.recoveryField(self, value: text) : Pieces.codeField(self, value: text)
      ]
    }
    return Screen(
      words.errors.resend,
      [
        .form(
          Form(fields: shown + (code ?? []), button: words.errors.resendButton, intent: typed.intent, values: hidden))
      ])
  }

  /// The field of a value as the pages have it; nil where only its own page knows.
  private func field(_ name: String, _ value: String) -> FormField? {
    if name == "email" { return newAddress(words.forms.email, value: value) }
    guard let field = policy.profile.fields.first(where: { FieldName.profile($0.name) == name }) else { return nil }
    return profileFields.input(field, value: value)
  }
}
