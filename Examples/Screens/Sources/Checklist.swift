import Foundation
import GatehouseClient
import SwiftUI

/// How strong the password is, and each rule with its mark. A reader of the screen hears the mark as a word.
struct ChecklistRows: View {
  @Environment(\.app) private var app
  let rows: [ChecklistRow]

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

  private static func symbol(_ mark: ChecklistRow.Mark) -> String {
    switch mark {
    case .met: "checkmark.circle.fill"
    case .unmet, .pending: "circle"
    case .advice: "lightbulb"
    case .checkedOnSubmit: "ellipsis.circle"
    }
  }

  private static func word(_ mark: ChecklistRow.Mark) -> String {
    switch mark {
    case .met: "met"
    case .unmet, .pending: "not met"
    case .advice: "recommended"
    case .checkedOnSubmit: "checked later"
    }
  }
}
