/// The cost of a drawing for a browser, beside the number of its elements: long outlines and texts, and filters, each
/// as often as it is drawn.
struct SVGCost {
  /// The longer side of the `viewBox`.
  var side = 0.0

  struct Problem {
    let reason: String
    let advice: String
    let at: Int
  }

  /// How many plain elements an element stands for. A blur costs its whole region.
  static func weight(of element: SVGReader.Element) -> Int {
    let own =
      switch element.name {
      case "feGaussianBlur", "feDropShadow": 600
      case _ where element.name.hasPrefix("fe"): 50
      default: 1
      }
    return own + weight(of: element.attributes.reduce(0) { $0 + $1.value.count })
  }

  /// How many plain elements so many bytes of outline or text stand for.
  static func weight(of bytes: Int) -> Int { bytes / 64 }

  /// The fault of an element that a browser could draw for minutes.
  func problem(in element: SVGReader.Element) -> Problem? {
    for attribute in element.attributes where attribute.prefix == nil {
      let reach = reach(of: attribute, in: element)
      // GUARD: picture: a blur stays near the drawing
      guard let reach, !numbers(attribute.value).allSatisfy({ abs($0) <= reach.most }) else { continue }
      return Problem(
        reason: "\(attribute.name) of <\(element.name)> is too large: \(reach.words) at most",
        advice: "blur less, and leave the filter's region as small as the drawing", at: attribute.at)
    }
    return nil
  }

  /// How large a number of an attribute may be; nil for what costs nothing.
  private func reach(of attribute: SVGReader.Attribute, in element: SVGReader.Element) -> (most: Double, words: String)?
  {
    switch (element.name, attribute.name) {
    case ("feGaussianBlur", "stdDeviation"), ("feDropShadow", "stdDeviation"):
      return (side, "the longer side of the viewBox is allowed")
    case ("filter", "x"), ("filter", "y"), ("filter", "width"), ("filter", "height"):
      if attribute.value.contains(UInt8(ascii: "%")) { return (400, "400% is allowed") }
      let isOwn = element.value("filterUnits").map { $0.elementsEqual("userSpaceOnUse".utf8) } == true
      return isOwn ? (4 * side, "four times the longer side of the viewBox is allowed") : (4, "4 is allowed")
    default: return nil
    }
  }

  /// The numbers of a value; infinity for what is none, such as a unit.
  private func numbers(_ value: [UInt8]) -> [Double] {
    value.split { SVGReader.isBlank($0) || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "%") }.map {
      Double(String(decoding: $0, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil } ?? .infinity
    }
  }
}
