extension BundleKeys {
  static let profile = BundleTable<ProfilePolicy>([
    .word("unknown_fields", \.unknownFields),
    .list("fields", \.fields, FieldDraft.table, silent: FieldDraft(), draft: { FieldDraft($0) }) { draft, _ in
      draft.field
    },
  ])
}

/// A field before it is made.
struct FieldDraft: Sendable {
  var name = ""
  var type = FieldType.string
  var label: Texts?
  var valueLabels: [String: Texts] = [:]
  var defaultValue: FieldValue?
  var trim = false
  var multiline = false
  var atSignUp = false
  var write = Field.Write.user
  var visibleTo = Field.Visibility.`self`
  var claim = false
  var unique: Field.Unique?
  var renamedFrom: String?
  var region: String?
  var phoneCheck = Field.PhoneCheck.valid
  var existing = Existing.atNextChange
  var message: Texts?
  var sentence: Texts?
  var doors: DoorSet?
  var rules: [Rule] = []

  static let table = BundleTable<FieldDraft>([
    .text("name", \.name, required: true),
    .word("type", \.type),
    .spoken("label", \.label),
    BundleKey(
      name: "labels",
      write: { field in
        field.valueLabels.isEmpty ? nil : .object(field.valueLabels.map { ($0.key, $0.value.bundled) })
      }, read: { value, field in field.valueLabels = try value.dictionary { try $0.texts } }),
    BundleKey(
      name: "default", write: { $0.defaultValue?.bundled },
      read: { value, field in field.defaultValue = try value.fieldValue }),
    .flag("trim", \.trim),
    .flag("multiline", \.multiline),
    .flag("at_sign_up", \.atSignUp),
    .word("write", \.write),
    .word("visible_to", \.visibleTo),
    .flag("claim", \.claim),
    .word("unique", \.unique),
    .text("renamed_from", \.renamedFrom),
    .text("region", \.region),
    .word("check", \.phoneCheck),
    .word("existing", \.existing),
    .spoken("message", \.message),
    .spoken("sentence", \.sentence),
    .doors("doors", \.doors),
    .rules("rules", \.rules, at: .field),
  ])
}

extension FieldDraft {
  init(_ field: Field) {
    let implied = ImpliedDraft(field.typeRule)
    self.init(
      name: field.name, type: field.type, label: field.label, valueLabels: field.valueLabels,
      defaultValue: field.defaultValue, trim: field.trim, multiline: field.multiline, atSignUp: field.atSignUp,
      write: field.write, visibleTo: field.visibleTo, claim: field.claim, unique: field.unique,
      renamedFrom: field.renamedFrom, region: field.region, phoneCheck: field.phoneCheck, existing: field.existing,
      message: implied.message, sentence: implied.sentence,
      doors: implied.doors, rules: field.rules)
  }

  var field: Field {
    var field = Field(
      name: name, type: type, rules: rules, defaultValue: defaultValue, trim: trim, multiline: multiline, write: write,
      visibleTo: visibleTo, claim: claim, unique: unique, region: region, phoneCheck: phoneCheck, existing: existing,
      label: label, atSignUp: atSignUp, message: message, sentence: sentence, doors: doors)
    field.valueLabels = valueLabels
    field.renamedFrom = renamedFrom
    return field
  }
}

extension FieldValue {
  fileprivate var bundled: JSONText {
    switch self {
    case .null, .unsupported: .null
    case .boolean(let flag): .boolean(flag)
    case .integer(let number): .integer(number)
    case .string(let text): .string(text)
    }
  }
}

extension BundleValue {
  fileprivate var fieldValue: FieldValue {
    get throws {
      switch json {
      case .null: .null
      case .boolean(let flag): .boolean(flag)
      case .integer(let number): .integer(number)
      case .string(let text): .string(text)
      case .array, .object: throw refusal("a value of a field")
      }
    }
  }
}
