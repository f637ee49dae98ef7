#if canImport(SwiftUI)
  import Foundation
  import SwiftUI

  /// A form in the middle of the screen that scrolls where type is large or the keyboard is there.
  struct Screen<Content: View>: View {
    @Environment(\.authTheme) private var theme
    let title: String
    @ViewBuilder let content: Content

    var body: some View {
      ScrollView {
        VStack(alignment: .leading, spacing: AuthTheme.space(2)) {
          Text(title).font(theme.title).accessibilityAddTraits(.isHeader)
          content
        }
        .font(theme.body)
        .padding(AuthTheme.space(3))
        .frame(maxWidth: 480)
        .frame(maxWidth: .infinity)
      }
      .scrollDismissesKeyboard(.interactively)
    }
  }

  extension View {
    /// Lets the person select the text, on systems where texts can be selected.
    func selectable() -> some View {
      #if os(tvOS) || os(watchOS)
        self
      #else
        textSelection(.enabled)
      #endif
    }
  }

  /// The app's logo and name.
  struct Mark: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.colorScheme) private var scheme
    let name: String

    var body: some View {
      HStack(spacing: AuthTheme.space(1)) {
        if let logo = theme.logo(scheme) {
          AsyncImage(url: logo) { image in
            image.resizable().scaledToFit()
          } placeholder: {
            Color.clear
          }
          .frame(height: theme.logoSize)
          .accessibilityLabel(theme.hasWordmark ? name : "")
          .accessibilityHidden(!theme.hasWordmark)
        }
        if theme.logo(scheme) == nil || !theme.hasWordmark { Text(name).font(theme.label) }
      }
      .frame(maxWidth: .infinity, alignment: theme.isCentered ? .center : .leading)
    }
  }
#endif
