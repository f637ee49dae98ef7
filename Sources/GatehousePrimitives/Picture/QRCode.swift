import CQREncode

/// QR codes (ISO/IEC 18004) as drawings: the matrix is libqrencode's, the SVG is ours.
package enum QRCode {
  /// Why there is no picture.
  package enum Problem: Error, Equatable, Sendable {
    /// The text has more bytes than `mostBytes`.
    case tooLong
    /// The library gave none: memory is out.
    case libraryFailure
  }

  /// The most bytes of a text: version 28 at level M, beyond which a telephone hardly reads it from a screen.
  package static let mostBytes = 1_190
  /// Light modules around the code, which readers need.
  static let quietZone = 4

  /// The drawing of a text: dark on white on a page of any colours, one unit per module, without a size and without a
  /// title of its own. Readers guess the encoding of a text that is not ASCII.
  package static func svg(of text: String) throws(Problem) -> String {
    let drawing = try drawing(of: text)
    let side = drawing.side
    return
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(side) \#(side)" shape-rendering="crispEdges">"#
      + ##"<path fill="#fff" d="M0 0h\##(side)v\##(side)H0z"/><path stroke="#000" d="\##(drawing.path)"/></svg>"##
  }

  /// The parts of the drawing, for a page that has the code among its own elements.
  package static func drawing(of text: String) throws(Problem) -> Drawing {
    let rows = try modules(of: text)
    return Drawing(side: rows.count + 2 * quietZone, path: outline(of: rows))
  }

  package struct Drawing: Sendable {
    /// Width and height with the light around the code, in modules.
    package let side: Int
    /// The dark modules: lines, one unit thick (SVG 2, section 9.3).
    package let path: String
  }

  /// The dark modules as lines, one unit thick: from each row's left edge over light and dark in turn.
  private static func outline(of rows: [[Bool]]) -> String {
    var path = ""
    for (y, row) in rows.enumerated() {
      path += "M\(quietZone) \(y + quietZone).5"
      var x = 0
      while x < row.count {
        let end = row[x...].firstIndex { $0 != row[x] } ?? row.count
        if row[x] {
          path += "h\(end - x)"
        } else if end < row.count {
          path += "m\(end - x) 0"
        }
        x = end
      }
    }
    return path
  }

  /// The rows of the code from the top, `true` for a dark module.
  static func modules(of text: String) throws(Problem) -> [[Bool]] {
    let bytes = Array(text.utf8)
    guard !bytes.isEmpty, bytes.count <= mostBytes, let count = Int32(exactly: bytes.count) else { throw .tooLong }
    // SAFETY: the bytes are alive for the call with the count given. Version 0: the smallest that they fit into.
    guard let code = QRcode_encodeData(count, bytes, 0, QR_ECLEVEL_M) else { throw .libraryFailure }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    // SAFETY: the library gives `width` × `width` bytes, row by row; bit 0 of each is set for a dark module.
    return (0..<width).map { y in (0..<width).map { x in code.pointee.data[y * width + x] & 1 == 1 } }
  }
}
