#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  /// One profile field: a line of text, a switch, or a choice.
  struct FieldInput: View {
    @Environment(\.words) private var words
    let field: AuthPolicy.Field
    @Binding var text: String
    var error: String?

    var body: some View {
      switch field.type {
      case "boolean":
        VStack(alignment: .leading, spacing: AuthTheme.space(0.5)) {
          Toggle(field.label, isOn: $text.isTrue)
            .frame(minHeight: 44)
          if let error { Remark(text: error, symbol: "exclamationmark.circle") }
        }
      case "enum":
        Labelled(label: field.label, error: error) {
          Picker(field.label, selection: $text) {
            Text(words.choose).tag("")
            ForEach(field.choices, id: \.self) { choice in Text(field.labels[choice] ?? choice).tag(choice) }
          }
          .labelsHidden()
        }
      default:
        TextInput(
          label: field.label, text: $text[writtenFor: field], kind: TextKind(field.type, name: field.name), error: error
        )
      }
    }
  }

  extension String {
    /// A truth value, as a field's text has it.
    fileprivate var isTrue: Bool {
      get { self == "true" }
      set { self = newValue ? "true" : "false" }
    }

    /// The text in the form in which people write a number of the field's region, while it is typed.
    fileprivate subscript(writtenFor field: AuthPolicy.Field) -> String {
      get { self }
      set { self = field.formatted(newValue) }
    }
  }
#endif
