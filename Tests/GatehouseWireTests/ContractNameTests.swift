import Foundation
import GatehouseTesting
import GatehouseWire
import Testing

@Suite("Names of the contract's types")
struct ContractNameTests {
  /// Names of stored properties in a source, such as `requestID`.
  private static func properties(_ source: String) -> [String] {
    source.matches(of: /\b(?:var|let) (\w+):/).map { String($0.output.1) }
  }

  private static func unreadable(_ names: [String]) -> [String] {
    names.filter { ContractJSON.declared(ContractJSON.spelled($0)) != $0 }
  }

  @Test("each property is found again by Foundation's coders, which phones have")
  func declared() throws {
    let folder = TestLists.root + "/Sources/GatehouseWire"
    let files = try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])
    let names = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      Self.properties(try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8))
    }
    #expect(names.count > 200)
    #expect(Self.unreadable(names) == [])
  }

  @Test("the same look finds names that the coders would miss")
  func seen() {
    let names = Self.properties(
      "package var termsUrl: String?\nlet userId: String, var redirectURI: String, let x: Int")
    #expect(Self.unreadable(names) == ["termsUrl", "userId"])
  }
}
