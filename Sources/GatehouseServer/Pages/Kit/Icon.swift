/// Small drawings beside text. They say nothing that the text does not, so readers who hear the page are told nothing.
enum Icon: String, CaseIterable, Sendable {
  case phone, tablet, computer
  /// A passkey.
  case key
  /// For lists that are empty.
  case link, mail, person

  /// Outlines on a ground of 24 by 24.
  private var outline: HTML {
    switch self {
    case .phone: "M8 3h8v18H8zM11 18h2"
    case .tablet: "M5 3h14v18H5zM11 18h2"
    case .computer: "M4 5h16v11H4zM9 20h6M12 16v4"
    case .key: "M8 16a4 4 0 1 1 3.8-5.3L21 11v4h-3v-2h-2v2h-4.5A4 4 0 0 1 8 16zM8 12h0"
    case .link: "M10 14l4-4M9 8l2-2a4 4 0 0 1 6 6l-2 2M15 16l-2 2a4 4 0 0 1-6-6l2-2"
    case .mail: "M3 6h18v12H3zM3 7l9 6 9-6"
    case .person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0"
    }
  }

  var html: HTML {
    """
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="\(outline)"/></svg>
    """
  }

  /// The device that a name tells of, `Safari on iPhone`, `Willie's Galaxy Tab`; a computer where it tells of none.
  init(device name: String) {
    let name = name.lowercased()
    self = Self.devices.first { name.contains($0.word) }?.icon ?? .computer
  }

  /// The first word that a name has counts: a tablet of Android is no phone.
  private static let devices: [(word: String, icon: Icon)] = [
    ("ipad", .tablet), ("tablet", .tablet), ("galaxy tab", .tablet), ("kindle", .tablet), ("iphone", .phone),
    ("ipod", .phone), ("apple device", .phone), ("android", .phone), ("phone", .phone), ("pixel", .phone),
    ("galaxy", .phone), ("móvil", .phone),
    ("teléfono", .phone),
  ]
}

extension Pieces {
  /// A list that is empty, in words.
  static func empty(_ icon: Icon, _ text: String) -> Screen.Piece {
    .html("<p class=\"empty\">\(icon.html)\(text)</p>")
  }
}
