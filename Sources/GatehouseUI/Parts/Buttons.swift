#if canImport(SwiftUI)
  import SwiftUI

  /// The button that a screen is about. While work is under way it turns and takes no second tap; it is never switched
  /// off otherwise, so that a tap can say what is missing. A vibration says how it went, where the action answers that.
  struct MainButton: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.colorScheme) private var scheme
    @Environment(\.words) private var words
    let title: String
    let isWorking: Bool
    var role: ButtonRole?
    let action: @MainActor () async -> Bool?

    var body: some View {
      Button(role: role) {
        Task { if let isDone = await action() { Haptics.play(isDone) } }
      } label: {
        ZStack {
          Text(title).font(theme.label).foregroundStyle(role == nil ? theme.onColor(scheme) : .white)
            .opacity(isWorking ? 0 : 1)
          if isWorking { ProgressView() }
        }
        .frame(maxWidth: .infinity, minHeight: 44)
      }
      .buttonStyle(.borderedProminent)
      #if os(iOS)
        .buttonBorderShape(.roundedRectangle(radius: theme.radius))
      #endif
      .tint(role == nil ? theme.color(scheme) : theme.alarm)
      .disabled(isWorking)
      .accessibilityLabel(isWorking ? "\(title), \(words.working)" : title)
    }
  }

  /// A way to another screen, or something else that may be done here.
  struct SideButton: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.colorScheme) private var scheme
    let title: String
    var role: ButtonRole?
    let action: @MainActor () async -> Void

    var body: some View {
      Button(role: role) {
        Task { await action() }
      } label: {
        Text(title).font(theme.label).frame(minHeight: 44)
      }
      .buttonStyle(.borderless)
      .tint(role == nil ? theme.color(scheme) : theme.alarm)
    }
  }

  /// A mail that may be sent again, with the seconds until then.
  struct ResendButton: View {
    @Environment(\.words) private var words
    let secondsLeft: Int
    let action: @MainActor () async -> Bool

    var body: some View {
      if secondsLeft > 0 {
        Text(words.resendIn(secondsLeft)).foregroundStyle(.secondary).accessibilityAddTraits(.updatesFrequently)
      } else {
        SideButton(title: words.resend) { Haptics.play(await action()) }
      }
    }
  }
#endif
