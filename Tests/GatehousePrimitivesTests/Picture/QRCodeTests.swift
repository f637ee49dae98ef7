import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("QR codes") struct QRCodeTests {
  static let address = "otpauth://totp/DD%20Ride:willie%40ksu.edu?secret=MZXW6YTBOI&issuer=DD%20Ride"

  /// What a reader that is not ours finds in a drawing that a renderer that is not ours made pixels of.
  static func read(_ svg: String) throws -> Python.Outcome {
    let folder = try TestFolder.make("qr")
    try Data(svg.utf8).write(to: URL(fileURLWithPath: folder + "/code.svg"))
    return try Python.run(
      """
      import subprocess, sys
      svg, png = sys.argv[1] + "/code.svg", sys.argv[1] + "/code.png"
      subprocess.run(["rsvg-convert", "--zoom", "6", "--output", png, svg], check=True)
      sys.exit(subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", png]).returncode)
      """, [folder])
  }

  @Test(
    "a reader finds the text",
    arguments: [address, "a", String(repeating: "0123456789", count: 40)])
  func read(text: String) throws {
    let outcome = try Self.read(try QRCode.svg(of: text))
    #expect(outcome.output == text + "\n", "\(outcome.errors)")
  }

  @Test("the same reader finds nothing where the dark modules are not drawn")
  func control() throws {
    let svg = try QRCode.svg(of: Self.address).replacing(##"stroke="#000""##, with: ##"stroke="#fff""##)
    #expect(try Self.read(svg).output.isEmpty)
  }

  @Test("the drawing is taken by the check of pictures, also of the longest text")
  func checked() throws {
    for text in ["a", Self.address, String(repeating: "x", count: QRCode.mostBytes)] {
      let svg = try QRCode.svg(of: text)
      #expect(try PictureCheck.kind(of: svg.bytes) == .svg)
    }
  }

  @Test("around the code there are four light modules, and the first row begins with a finder pattern")
  func quiet() throws {
    let svg = try QRCode.svg(of: "a")
    #expect(svg.contains(#"viewBox="0 0 29 29""#) && svg.contains("M4 4.5h7"))
  }

  @Test("the outline is that of the modules")
  func outline() throws {
    let rows = try QRCode.modules(of: Self.address)
    let svg = try QRCode.svg(of: Self.address)
    let path = try #require(svg.matches(of: /d="([^"]*)"/).last?.output.1)
    var drawn = rows.map { $0.map { _ in false } }
    for row in path.split(separator: "M") {
      var words = row.matches(of: /[hm ]?[0-9.]+/).map { String($0.output) }[...]
      var x = try #require(Int(words.removeFirst())) - 4
      let y = try #require(Double(words.removeFirst().dropFirst()))
      for word in words {
        guard let number = Int(word.dropFirst()) else { continue }
        if word.hasPrefix("h") { for place in x..<(x + number) { drawn[Int(y - 4.5)][place] = true } }
        x += number
      }
    }
    #expect(drawn == rows)
  }

  @Test("a text that is empty or too long has no code", arguments: [0, QRCode.mostBytes + 1])
  func tooLong(count: Int) {
    #expect(throws: QRCode.Problem.tooLong) { try QRCode.svg(of: String(repeating: "x", count: count)) }
  }
}
