import GatehousePrimitives

/// The brand's colour in mails, and where it had to move to be seen.
struct MailColors: Sendable, Equatable {
  /// A button and the text on it.
  struct Button: Sendable, Equatable {
    let ground, label: Colour
  }

  /// As the policy has it.
  let primary: Colour
  /// On the light card. Mail programs that turn light mails into dark ones by themselves turn it as well: then its
  /// label can be read still.
  let light: Button
  /// On the dark card of programs that follow the mail's own dark colours.
  let dark: Button

  static let lightCard: Colour = 0xFFFFFF
  static let darkCard: Colour = 0x22252A

  /// `#rrggbb`; anything else becomes a dark blue.
  init(_ color: String?) {
    let primary = Colour(color) ?? 0x1F4E8C
    self.primary = primary
    light = Button(ground: Self.dark(primary), label: .white)
    let raised = primary.standingOut(from: Self.darkCard, by: 3)
    dark = Button(ground: raised, label: raised.onTop)
  }

  /// The colour, moved towards black as far as it takes to carry white text, and black text once it is inverted.
  private static func dark(_ colour: Colour) -> Colour {
    let steps = (0...20).lazy.map { colour.mixed(with: .black, $0) }
    return steps.first { step in
      step.contrast(with: .white) >= 4.5 && step.inverted.contrast(with: .black) >= 4.5
    } ?? .black
  }
}
