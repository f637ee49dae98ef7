/// The owner of the pages, as the frame shows it.
struct Brand: Sendable {
  let name: String
  let style: PageStyle
  /// The address of its logo, as the page names it; nil where its first letter stands in the logo's place.
  var logo: String?
  /// The address of mail for people who need help.
  var support: String?
  /// Tags of the languages that its readers may choose from.
  var languages: [String] = []

  /// The mark before the name: the logo, else the first letter.
  var mark: HTML {
    if let logo { return "<img class=\"logo\" src=\"\(logo)\" alt=\"\" width=\"32\" height=\"32\">" }
    return "<span class=\"mark\" aria-hidden=\"true\">\(name.prefix(1).uppercased())</span>"
  }
}
