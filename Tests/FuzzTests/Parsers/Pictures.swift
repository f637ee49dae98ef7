@testable import GatehousePrimitives

extension FuzzTarget {
  /// Pictures: what is taken has no element or attribute that runs, fetches or moves; a PNG that is taken ends where it
  /// says; no bytes are taken beyond the bound, and the same bytes are always taken.
  static let picture = FuzzTarget(name: "picture") { bytes in
    guard let type = try? PictureCheck.kind(of: bytes) else { return nil }
    if bytes.count > PictureCheck.mostBytes { return "larger than the limit" }
    if (try? PictureCheck.kind(of: bytes)) != type { return "another verdict the second time" }
    switch type {
    case .png:
      let isEnd = bytes.suffix(12).elementsEqual([0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
      if !isEnd { return "a PNG that ends with something else" }
      return (try? PictureCheck.kind(of: bytes + [0])) == nil ? nil : "a PNG with something behind it"
    case .svg: return problem(ofDrawing: bytes)
    }
  }

  private static func problem(ofDrawing bytes: [UInt8]) -> String? {
    guard var reader = try? SVGReader(bytes) else { return "taken, and not read" }
    var depth = 0
    while true {
      guard let token = try? reader.next() else { return depth == 0 ? nil : "an element that does not end" }
      switch token {
      case .close: depth -= 1
      case .text: break
      case .open(let element):
        if !element.isEmpty { depth += 1 }
        if forbidden.contains(element.name.lowercased()) { return "an SVG with \(element.name)" }
        for attribute in element.attributes {
          if attribute.local.hasPrefix("on"), attribute.prefix != "xmlns" { return "an SVG with \(attribute.name)" }
          if attribute.local == "href", attribute.value.first != UInt8(ascii: "#") {
            return "an SVG that leads elsewhere"
          }
        }
      }
    }
  }

  private static let forbidden = [
    "script", "foreignobject", "iframe", "image", "feimage", "a", "set", "animate", "animatemotion", "animatetransform",
    "audio", "video", "object", "embed", "link", "handler", "listener",
  ]
}
