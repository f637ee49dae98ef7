/// The owner of the pages, as the frame shows it.
struct Brand: Sendable {
  /// A logo, by the addresses that the page names it by.
  struct Logo: Sendable {
    let address: String
    /// The one for dark ground. Without it the logo stands on a light plate there, because nothing says that it can be
    /// seen on dark ground.
    var dark: String?
    /// Whether it spells the owner's name.
    var isWordmark = false

    /// - Parameters:
    ///   - name: the owner's name, which a wordmark says to people who do not see it.
    ///   - size: pixels.
    func html(on ground: PageStyle.Ground, name: String, size: Int) -> HTML {
      let width: HTML = isWordmark ? "" : " width=\"\(String(size))\""
      func image(_ address: String) -> HTML {
        """
        <img class="logo\(isWordmark ? " word" : "")" src="\(address)" alt="\(isWordmark ? name : "")"\(width) height="\(String(size))">
        """
      }
      switch (ground, dark) {
      case (.light, _): return image(address)
      case (.dark, _): return image(dark ?? address)
      case (.ofDevice, let dark?):
        return """
          <picture><source srcset="\(dark)" media="(prefers-color-scheme:dark)">\(image(address))</picture>
          """
      case (.ofDevice, nil): return "<span class=\"plate\">\(image(address))</span>"
      }
    }
  }

  let name: String
  let style: PageStyle
  /// Nil where the name's first letter stands in its place.
  var logo: Logo?
  /// Whether logo and name stand in the middle.
  var isCentered = false
  /// The address of mail for people who need help.
  var support: String?
  /// The addresses of terms and privacy policy.
  var terms, privacy: String?
  /// The languages that its readers may choose from.
  var languages: [PageLanguage] = []

  /// The line above the heading: the logo, else the first letter, the name, and the ways to other languages.
  func line(_ switches: HTML) -> HTML {
    let centered: HTML = isCentered ? " center" : ""
    let mark =
      logo?.html(on: style.ground, name: name, size: style.logoSize)
      ?? "<span class=\"mark\" aria-hidden=\"true\">\(name.prefix(1).uppercased())</span>"
    let words: HTML = logo?.isWordmark == true ? "" : " <span>\(name)</span>"
    return "<div class=\"app\(centered)\">\(mark)\(words)\(switches)</div>"
  }
}
