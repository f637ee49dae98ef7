#if canImport(SwiftUI)
  import SwiftUI

  /// A screen that takes the place of another when a value changes. People who asked the system for less motion see it
  /// fade.
  private struct Turn<Value: Hashable>: ViewModifier {
    @Environment(\.accessibilityReduceMotion) private var isReduced
    let value: Value

    func body(content: Content) -> some View {
      ZStack {
        // Another identity is another view, which comes and goes as a whole.
        content.id(value).transition(isReduced ? .opacity : .opacity.combined(with: .move(edge: .trailing)))
      }
      .animation(.easeInOut(duration: isReduced ? 0.15 : 0.25), value: value)
    }
  }

  /// Sentences within a screen that come and go. They do not move where less motion is asked for.
  private struct Shift<Value: Equatable>: ViewModifier {
    @Environment(\.accessibilityReduceMotion) private var isReduced
    let value: Value

    func body(content: Content) -> some View {
      content.animation(isReduced ? nil : .easeInOut(duration: 0.2), value: value)
    }
  }

  extension View {
    /// Turns to another screen with a value.
    func turns(with value: some Hashable) -> some View { modifier(Turn(value: value)) }

    /// Moves what is within when a value changes.
    func moves(with value: some Equatable) -> some View { modifier(Shift(value: value)) }
  }
#endif
