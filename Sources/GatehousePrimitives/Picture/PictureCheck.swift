/// The kinds of pictures that are taken from outside and shown to strangers.
package enum PictureType: String, Sendable, CaseIterable {
  case svg = "image/svg+xml"
  case png = "image/png"

  /// The end of a file's name.
  package var fileExtension: String {
    switch self {
    case .svg: "svg"
    case .png: "png"
    }
  }
}

/// The check of a picture from outside: a browser shows it, runs nothing of it and fetches nothing for it. Time and
/// memory are linear in the size, which is bounded.
package enum PictureCheck {
  /// The most bytes of a picture.
  package static let mostBytes = 32_768
  /// The fewest and the most pixels of a side, where a picture is made of pixels.
  package static let sides = 16...1024

  /// The kind of a picture that may be shown. The content decides, not a name.
  package static func kind(of bytes: [UInt8]) throws(PictureProblem) -> PictureType {
    guard !bytes.isEmpty else { throw PictureProblem("it is empty", do: PictureProblem.kinds) }
    // GUARD: picture: bounded in bytes
    guard bytes.count <= mostBytes else {
      throw PictureProblem(
        "it has more than \(mostBytes) bytes (32 KB)",
        do: "make it simpler or smaller: it is shown at 32 to 64 pixels")
    }
    if bytes.starts(with: PNGCheck.signature) {
      try PNGCheck.check(bytes)
      return .png
    }
    let isMarkup = bytes.first { !SVGReader.isBlank($0) && !SVGReader.byteOrderMark.contains($0) } == UInt8(ascii: "<")
    guard isMarkup else { throw PictureProblem("it is neither an SVG nor a PNG", do: PictureProblem.kinds) }
    try SVGCheck.check(bytes)
    return .svg
  }
}

/// Why a picture is not taken. Of the picture itself it holds at most the name of an element or an attribute.
package struct PictureProblem: Error, Equatable, Sendable, CustomStringConvertible {
  /// The fault and the allowed values, without the place.
  package let reason: String
  /// Where; nil where the whole picture is meant.
  package let place: Place?
  /// The remedy.
  package let advice: String

  package enum Place: Equatable, Sendable {
    case byte(Int)
    /// Both from 1; the column counts bytes.
    case text(line: Int, column: Int)
  }

  init(_ reason: String, at place: Place? = nil, do advice: String) {
    self.reason = reason
    self.place = place
    self.advice = advice
  }

  /// `line 3, column 5: the element "script" is not allowed`.
  package var description: String {
    switch place {
    case .byte(let offset): "byte \(offset): \(reason)"
    case .text(let line, let column): "line \(line), column \(column): \(reason)"
    case nil: reason
    }
  }

  static let kinds = "take an SVG in UTF-8, or a PNG of 16 to 1024 pixels a side, of at most 32 KB"
}
