import SwiftUI

#if os(iOS)
  import UIKit
#endif

/// A labelled input with the sentence of what is wrong with it. A reader of the screen hears both.
struct Field<Input: View>: View {
  @Environment(\.app) private var app
  let label: String
  let error: String?
  @ViewBuilder let input: Input

  var body: some View {
    VStack(alignment: .leading, spacing: 4) {
      Text(label).font(.subheadline).foregroundStyle(.secondary).accessibilityHidden(true)
      input
        .textFieldStyle(.plain)
        .padding(12)
        .background(RoundedRectangle(cornerRadius: app.theme.radius).fill(.quaternary))
        .overlay {
          if error != nil { RoundedRectangle(cornerRadius: app.theme.radius).stroke(app.theme.alarm) }
        }
        .accessibilityLabel(label)
        .accessibilityHint(error ?? "")
      if let error { Text(error).font(.footnote).foregroundStyle(app.theme.alarm).accessibilityHidden(true) }
    }
  }
}

/// The address.
struct EmailField: View {
  @Binding var email: String
  var error: String?

  var body: some View {
    Field(label: "Email", error: error) {
      TextField("name@example.com", text: $email)
        .autocorrectionDisabled()
        #if os(iOS)
          .textInputAutocapitalization(.never)
          .keyboardType(.emailAddress)
          .textContentType(.username)
        #endif
    }
  }
}

/// A password that is there already, or a new one, which the system may suggest.
struct PasswordField: View {
  var label = "Password"
  @Binding var password: String
  var error: String?
  var isNew = false

  var body: some View {
    Field(label: label, error: error) {
      SecureField(label, text: $password)
        #if os(iOS)
          .textContentType(isNew ? .newPassword : .password)
        #endif
    }
  }
}

/// The code of a mail, which the system offers above the keyboard.
struct CodeField: View {
  @Binding var code: String
  var error: String?

  var body: some View {
    Field(label: "Code", error: error) {
      TextField("123456", text: $code)
        .font(.title3.monospacedDigit())
        #if os(iOS)
          .keyboardType(.numberPad)
          .textContentType(.oneTimeCode)
        #endif
    }
  }
}

/// The button that a screen is about. While work is under way it turns, and takes no second tap.
struct MainButton: View {
  @Environment(\.app) private var app
  let title: String
  var isWorking = false
  var isEnabled = true
  let action: @MainActor () async -> Void

  var body: some View {
    Button {
      Task { await action() }
    } label: {
      ZStack {
        Text(title).opacity(isWorking ? 0 : 1)
        if isWorking { ProgressView() }
      }
      .frame(maxWidth: .infinity, minHeight: 44)
    }
    .buttonStyle(.borderedProminent)
    .tint(app.theme.tint)
    .disabled(isWorking || !isEnabled)
    .accessibilityLabel(isWorking ? "\(title), working" : title)
  }
}

/// The sentence of what went wrong, and a button for another try where that can help.
struct MessageRow: View {
  @Environment(\.app) private var app
  let message: String?
  var retry: (@MainActor () async -> Void)?

  var body: some View {
    if let message {
      HStack(alignment: .firstTextBaseline) {
        Label(message, systemImage: "exclamationmark.circle").foregroundStyle(app.theme.alarm)
        if let retry { Button("Try again") { Task { await retry() } } }
      }
      .font(.callout)
      .accessibilityElement(children: .combine)
    }
  }
}

/// A form in the middle of the screen that scrolls when type is large or the keyboard is there.
struct Page<Content: View>: View {
  @Environment(\.app) private var app
  let title: String
  @ViewBuilder let content: Content

  var body: some View {
    ScrollView {
      VStack(alignment: .leading, spacing: app.theme.spacing) { content }
        .padding(app.theme.spacing)
        .frame(maxWidth: 480)
        .frame(maxWidth: .infinity)
    }
    .navigationTitle(title)
    #if os(iOS)
      .scrollDismissesKeyboard(.interactively)
    #endif
  }
}
