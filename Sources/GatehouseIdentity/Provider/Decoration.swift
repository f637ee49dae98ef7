import GatehousePolicy

/// Text that a provider or a device adds by itself. Its user did not type it and cannot change it, so it never refuses
/// them: it is cut, or left out.
enum Decoration {
  /// The text as one line of at most so many code points, and no character of it in part; nil where nothing of it can
  /// be seen.
  static func line(_ text: String, longest: Int?) -> String? {
    TypedText.line(text).flatMap { TypedText.line(cut($0, to: longest)) }
  }

  private static func cut(_ text: String, to longest: Int?) -> String {
    guard let longest, text.unicodeScalars.count > longest else { return text }
    var count = 0
    let kept = text.prefix { character in
      count += character.unicodeScalars.count
      return count <= longest
    }
    return String(kept)
  }
}
