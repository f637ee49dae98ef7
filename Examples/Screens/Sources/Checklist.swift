import GatehouseClient
import SwiftUI

/// The rows of sign-up that the person sees while typing, by the tenant's own policy. Without a network there are none, and the server judges.
@MainActor
final class Checklist: ObservableObject {
  @Published private var policy: AuthPolicy?
  private let client: AuthClient

  init(_ client: AuthClient) { self.client = client }

  func load() async { policy = try? await client.policy() }

  /// The rows of the password, as the form is now.
  func rows(of form: SignUpModel) -> [AuthPolicy.Row] {
    guard let policy else { return [] }
    return policy.check(.signUp, email: form.email, password: form.password, profile: form.profile)
      .filter { $0.input == "password" }
  }
}

/// How strong the password is, and each rule with its mark. A reader of the screen hears the mark as a word.
struct ChecklistRows: View {
  @Environment(\.app) private var app
  let rows: [AuthPolicy.Row]

  var body: some View {
    if !rows.isEmpty {
      VStack(alignment: .leading, spacing: 6) {
        ProgressView(value: strength)
          .tint(strength < 1 ? app.theme.alarm : app.theme.tint)
          .accessibilityLabel("Password strength")
          .accessibilityValue(strength.formatted(.percent.precision(.fractionLength(0))))
        ForEach(rows, id: \.rule) { row in
          Label(row.text, systemImage: Self.symbol(row.mark))
            .font(.footnote)
            .foregroundStyle(row.mark == .met ? app.theme.tint : .secondary)
            .accessibilityLabel("\(row.text), \(Self.word(row.mark))")
        }
      }
      .animation(.default, value: strength)
    }
  }

  /// The share of the rules that are kept.
  private var strength: Double { Double(rows.count { $0.mark == .met }) / Double(max(1, rows.count)) }

  private static func symbol(_ mark: AuthPolicy.Mark) -> String {
    switch mark {
    case .met: "checkmark.circle.fill"
    case .unmet: "circle"
    case .advice: "lightbulb"
    case .checkedOnSubmit: "ellipsis.circle"
    }
  }

  private static func word(_ mark: AuthPolicy.Mark) -> String {
    switch mark {
    case .met: "met"
    case .unmet: "not met"
    case .advice: "recommended"
    case .checkedOnSubmit: "checked later"
    }
  }
}
