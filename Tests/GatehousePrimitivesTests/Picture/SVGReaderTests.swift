import Foundation
import FoundationXML
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("The reader of drawings beside another one") struct SVGReaderTests {
  /// What libxml2 reads: the names of elements, in the order of their begins.
  private final class Reading: NSObject, XMLParserDelegate {
    var names: [String] = []
    var isRefused = false

    func parser(_ parser: XMLParser, parseErrorOccurred problem: any Error) { isRefused = true }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
      attributes: [String: String]
    ) { names.append(name) }
  }

  private static func othersNames(_ bytes: [UInt8]) -> [String]? {
    let parser = XMLParser(data: Data(bytes))
    let reading = Reading()
    parser.delegate = reading
    return parser.parse() && !reading.isRefused ? reading.names : nil
  }

  private static func ownNames(_ bytes: [UInt8]) throws -> [String] {
    var reader = try SVGReader(bytes)
    var names: [String] = []
    while let token = try reader.next() { if case .open(let element) = token { names.append(element.name) } }
    return names
  }

  private static let pieces = [
    "<g>", "</g>", "<path/>", "<!--", "-->", "<![CDATA[", "]]>", "&amp;", "&#x41;", "&", "<", ">", "'", "\"", " a='1'",
    "/",
    "=", " ", "\n", "é", "<?", "?>", "xlink:href", ":", "-", "\u{0}",
  ].map { Array($0.utf8) }

  @Test("whatever is taken, libxml2 reads as well, and reads the same elements")
  func same() throws {
    var random = SeededGenerator()
    var taken = 0
    for _ in 0..<4000 {
      var bytes = SVGCheckTests.drawing(SVGCheckTests.taken.randomElement(using: &random) ?? "")
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        if Bool.random(using: &random), let piece = Self.pieces.randomElement(using: &random) {
          bytes.insert(contentsOf: piece, at: place)
        } else {
          bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...6, using: &random)))
        }
      }
      guard (try? PictureCheck.kind(of: bytes)) == .svg else { continue }
      taken += 1
      let others = Self.othersNames(bytes)
      #expect(
        try others == Self.ownNames(bytes), "seed \(SeededGenerator.seed): \(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(taken > 500 && taken < 3900)
  }

  @Test("libxml2 refuses what is no XML")
  func control() { #expect(Self.othersNames(Array("<svg><g></svg>".utf8)) == nil) }
}
