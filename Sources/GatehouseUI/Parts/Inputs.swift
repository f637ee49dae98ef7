#if canImport(SwiftUI)
  import Foundation
  import SwiftUI

  #if os(iOS)
    import UIKit
  #endif

  /// An input with its label above and the sentence of what is wrong below. A reader of the screen hears both.
  struct Labelled<Input: View>: View {
    @Environment(\.authTheme) private var theme
    let label: String
    let error: String?
    @ViewBuilder let input: Input

    var body: some View {
      VStack(alignment: .leading, spacing: AuthTheme.space(0.5)) {
        Text(label).font(theme.label).accessibilityHidden(true)
        input
          .textFieldStyle(.plain)
          .padding(AuthTheme.space(1.5))
          .frame(minHeight: 44)
          .background(RoundedRectangle(cornerRadius: theme.radius).fill(.quaternary))
          .overlay {
            if error != nil { RoundedRectangle(cornerRadius: theme.radius).stroke(theme.alarm, lineWidth: 2) }
          }
          .accessibilityLabel(label)
          .accessibilityHint(error ?? "")
        if let error {
          Label(error, systemImage: "exclamationmark.circle")
            .font(theme.note)
            .foregroundStyle(theme.alarm)
            .accessibilityHidden(true)
        }
      }
      .moves(with: error)
    }
  }

  /// The kind of an address, a name or a number: what the keyboard shows and the password manager fills in.
  enum TextKind {
    case email, newEmail, code, secret, name, username, phone, number, web, text

    /// The kind of a profile field.
    init(_ type: String, name: String) {
      let kinds: [String: TextKind] = ["phone": .phone, "integer": .number, "url": .web]
      let word = name.lowercased()
      self = kinds[type] ?? (word == "username" ? .username : word.hasSuffix("name") ? .name : .text)
    }
  }

  /// A line of text.
  struct TextInput: View {
    let label: String
    @Binding var text: String
    var kind = TextKind.text
    var error: String?

    var body: some View {
      Labelled(label: label, error: error) {
        TextField("", text: $text)
          .autocorrectionDisabled(kind != .text)
          #if os(iOS)
            .textInputAutocapitalization(kind == .name ? .words : kind == .text ? .sentences : .never)
            .keyboardType(keyboard)
            .textContentType(content)
          #endif
      }
    }

    #if os(iOS)
      private var keyboard: UIKeyboardType {
        switch kind {
        case .email, .newEmail: .emailAddress
        case .code, .number: .numberPad
        case .phone: .phonePad
        case .web: .URL
        case .secret, .name, .username, .text: .default
        }
      }

      private var content: UITextContentType? {
        switch kind {
        case .email, .newEmail: .username
        case .code: .oneTimeCode
        case .name: .name
        case .username: .nickname
        case .phone: .telephoneNumber
        case .web: .URL
        case .secret, .number, .text: nil
        }
      }
    #endif
  }

  /// A password that is there already, or a new one, which the system may suggest. A switch shows it.
  struct PasswordInput: View {
    @Environment(\.words) private var words
    @State private var isShown = false
    let label: String
    @Binding var password: String
    var error: String?
    var isNew = false

    var body: some View {
      Labelled(label: label, error: error) {
        HStack(spacing: AuthTheme.space(1)) {
          field
            .autocorrectionDisabled()
            #if os(iOS)
              .textInputAutocapitalization(.never)
              .textContentType(isNew ? .newPassword : .password)
            #endif
          Button {
            isShown = !isShown
          } label: {
            Image(systemName: isShown ? "eye.slash" : "eye")
          }
          .buttonStyle(.borderless)
          .accessibilityLabel(isShown ? words.hidePassword : words.showPassword)
        }
      }
    }

    @ViewBuilder private var field: some View {
      if isShown { TextField("", text: $password) } else { SecureField("", text: $password) }
    }
  }
#endif
