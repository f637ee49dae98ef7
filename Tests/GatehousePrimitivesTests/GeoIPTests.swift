import Foundation
import GatehousePrimitives
import GatehouseTesting
import Testing

@Suite("Where addresses are")
struct GeoIPTests {
  /// Runs a test with the path of a file with these bytes.
  private func with<Answer>(_ bytes: [UInt8], _ body: (String) throws -> Answer) throws -> Answer {
    let path = TestFolder.path("places")
    defer { unlink(path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try body(path)
  }

  private func open(_ bytes: [UInt8]) throws -> GeoIPDatabase { try with(bytes) { try GeoIPDatabase(path: $0) } }

  @Test("towns, regions and countries of IPv4 and IPv6, and nothing of private networks or odd entries")
  func places() throws {
    let places = try open(try TestGeoIP.file(builtAt: Date(timeIntervalSince1970: 1_700_000_000)))
    for (address, place) in TestGeoIP.known + TestGeoIP.known6 {
      #expect(places.place(of: try #require(NetworkAddress(address))) == place, "\(address)")
    }
    for address in TestGeoIP.unknown {
      #expect(places.place(of: try #require(NetworkAddress(address))) == nil, "\(address)")
    }
    #expect(places.type == "GeoLite2-City" && places.builtAt == Date(timeIntervalSince1970: 1_700_000_000))
  }

  @Test("a file of IPv4 alone knows nothing of IPv6")
  func four() throws {
    let places = try open(try TestGeoIP.file(type: "DBIP-City-Lite", version: 4))
    for (address, place) in TestGeoIP.known {
      #expect(places.place(of: try #require(NetworkAddress(address))) == place, "\(address)")
    }
    for address in ["2001:db8:1::1", "::1", "::c633:6407"] {
      #expect(places.place(of: try #require(NetworkAddress(address))) == nil, "\(address)")
    }
  }

  private func trouble(_ path: String) -> GeoIPDatabase.Trouble? {
    do throws(GeoIPDatabase.Trouble) {
      _ = try GeoIPDatabase(path: path)
      return nil
    } catch { return error }
  }

  @Test("a missing, irregular or malformed file is refused with the reason")
  func refused() throws {
    #expect(trouble("/nonexistent/places.mmdb") == .unreadable("No such file or directory"))
    #expect(trouble("/dev/null") == .unreadable("it is not a regular file"))
    #expect(trouble("/") == .unreadable("it is not a regular file"))
    let whole = try TestGeoIP.file()
    for bytes in [[], Array("no database".utf8), Array(whole.prefix(whole.count / 2)), Array(whole.suffix(100))] {
      #expect(try with(bytes, trouble) == .notDatabase, "\(bytes.count)")
    }
    let networks = try TestGeoIP.file(type: "GeoLite2-ASN")
    #expect(try with(networks, trouble) == .wrongType("GeoLite2-ASN"))
    #expect(try with(whole, trouble) == nil)
  }

  @Test("overwriting or truncating the file changes nothing that is in use")
  func overwritten() throws {
    let address = try #require(NetworkAddress("198.51.100.7"))
    try with(try TestGeoIP.file()) { path in
      let places = GeoIP(try GeoIPDatabase(path: path))
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 0)
      #expect(places.place(of: address) == "Manhattan, US")
      try file.write(contentsOf: Data(try TestGeoIP.file(manhattan: "Topeka")))
      try file.close()
      #expect(places.place(of: address) == "Manhattan, US")
      places.replace(with: try GeoIPDatabase(path: path))
      #expect(places.place(of: address) == "Topeka, US")
    }
  }

  @Test("a damaged file is refused or knows less; what it says stays short and printable, and nothing breaks")
  func damaged() throws {
    let whole = try TestGeoIP.file()
    let addresses = try (TestGeoIP.known + TestGeoIP.known6).map { try #require(NetworkAddress($0.address)) }
    var random = SeededGenerator()
    var (refused, unknown, said) = (0, 0, 0)
    for _ in 0..<3000 {
      var bytes = whole
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      case 1:
        let start = Int.random(in: 0..<bytes.count - 16, using: &random)
        bytes.replaceSubrange(start..<start + 16, with: random.bytes(16))
      default:
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          // The end is where it says what it is, and the middle where entries are.
          let place = Int.random(
            in: Bool.random(using: &random) ? 0..<bytes.count : bytes.count - 700..<bytes.count, using: &random)
          bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      guard let places = try? open(bytes) else {
        refused += 1
        continue
      }
      for address in addresses {
        guard let place = places.place(of: address) else {
          unknown += 1
          continue
        }
        said += 1
        let scalars = place.unicodeScalars
        #expect(scalars.count <= 68 && !scalars.contains { $0.properties.generalCategory == .control }, "\(place)")
      }
    }
    // Each of the three does happen.
    #expect(refused > 100 && unknown > 100 && said > 100, "\(refused) \(unknown) \(said), seed \(SeededGenerator.seed)")
  }
}
