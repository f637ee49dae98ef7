extension RuleKind {
  /// There is a value: not absent, not null and, for text, not empty (after `trim`).
  public static let required = RuleKind(
    "required", at: [.email, .password, .field], fieldTypes: Set(FieldType.allCases), classes: .presence)
}

extension RuleClasses {
  /// No value in each form that it has, and a value.
  fileprivate static let presence = RuleClasses { rule, context in
    switch rule.target {
    case .email:
      return [Witness(.email(""), "no address"), Witness(.email(context.text(of: .email)), "an address")]
    case .password:
      return [
        Witness(.password(PasswordWitness("")), "no password"), Witness(.password(context.password), "a password"),
      ]
    case .field:
      return [
        Witness(.field(.null), "no value"), Witness(.field(""), "empty text"),
        Witness(.field(context.value), "a value"),
      ]
    }
  } classify: { _, value, context in
    switch value {
    case .email(let text): return text.isEmpty ? "none" : "some"
    case .password(let password): return password.text.isEmpty ? "none" : "some"
    case .field(let given):
      guard let field = context.field else { return nil }
      return switch field.typed(given) {
      case .none: "none"
      case .some(let value): value == "" ? "empty" : "some"
      case .wrongType: nil
      }
    case .writer, .taken, .key: return nil
    }
  }
}
