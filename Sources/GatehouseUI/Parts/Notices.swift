#if canImport(SwiftUI)
  import GatehouseClient
  import SwiftUI

  /// The sentence of what went wrong, and a button for another try where that can help.
  struct Notice: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.words) private var words
    @ObservedObject var model: AuthModel
    let retry: (@MainActor () async -> Bool)?

    var body: some View {
      VStack(alignment: .leading, spacing: AuthTheme.space(1)) {
        if let message = model.message {
          Label(message, systemImage: "exclamationmark.triangle").foregroundStyle(theme.alarm)
          if model.canRetry, let retry { SideButton(title: words.tryAgain) { Haptics.play(await retry()) } }
        }
      }
      .moves(with: model.message)
    }
  }

  /// A sentence that is no error.
  struct Remark: View {
    let text: String
    var symbol = "info.circle"

    var body: some View {
      Label(text, systemImage: symbol).foregroundStyle(.secondary).accessibilityElement(children: .combine)
    }
  }

  /// Each rule for a password with its mark. A reader of the screen hears the mark as a word.
  struct Checklist: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.colorScheme) private var scheme
    @Environment(\.words) private var words
    let rows: [ChecklistRow]

    var body: some View {
      if !rows.isEmpty {
        VStack(alignment: .leading, spacing: AuthTheme.space(0.5)) {
          Text(words.needs).font(theme.note)
          ForEach(rows) { row in
            Label(row.text, systemImage: symbol(row.mark))
              .font(theme.note)
              .foregroundStyle(row.mark == .met ? theme.color(scheme) : .secondary)
              .accessibilityLabel("\(row.text), \(word(row.mark))")
          }
        }
        .moves(with: rows)
      }
    }

    private func symbol(_ mark: ChecklistRow.Mark) -> String {
      switch mark {
      case .met: "checkmark.circle.fill"
      case .unmet, .pending: "circle"
      case .advice: "lightbulb"
      case .checkedOnSubmit: "ellipsis.circle"
      }
    }

    private func word(_ mark: ChecklistRow.Mark) -> String {
      switch mark {
      case .met: words.met
      case .unmet, .pending: words.notMet
      case .advice: words.recommended
      case .checkedOnSubmit: words.checkedLater
      }
    }
  }
#endif
