import Foundation
import Testing

/// The kit of the pages knows no tenant, so that pages of other owners stand on it as well.
@Suite("The kit of the pages")
struct KitTests {
  private static let folder = "Sources/GatehouseServer/Pages/Kit/"
  /// What the kit is told, and may not ask for.
  private static let names = ["Call", "TenantSnapshot", "TenantName", "Policy", "Services"]
  private static let modules = ["GatehouseIdentity", "GatehousePolicy", "GatehouseWire", "GatehouseAdminWire"]

  /// Where files of a folder name a type or import a module, as `file:line: name`.
  private static func breaches(below folder: String) throws -> [String] {
    try WallTests.lines(of: "GatehouseServer").filter { $0.file.hasPrefix(folder) }.flatMap { line in
      // `Content-Security-Policy` is the name of a field.
      let words = line.text.replacing(/[\w-]+-Policy/, with: "").split { !$0.isLetter && !$0.isNumber && $0 != "_" }
      let isImport = WallTests.imported(line.text).map(modules.contains) ?? false
      return (words.map(String.init).filter(names.contains) + (isImport ? ["import"] : [])).map {
        "\(line.file):\(line.number): \($0)"
      }
    }
  }

  @Test("no file of the kit names a tenant, its policy or a call")
  func tenantless() throws {
    let files = Set(try WallTests.lines(of: "GatehouseServer").map(\.file).filter { $0.hasPrefix(Self.folder) })
    #expect(files.count > 10)
    #expect(try Self.breaches(below: Self.folder) == [])
  }

  @Test("the same look finds the pages of tenants")
  func negativeControl() throws {
    let found = try Self.breaches(below: "Sources/GatehouseServer/Pages/Screens/")
    for name in ["Call", "Policy", "Services", "import"] {
      #expect(found.contains { $0.hasSuffix(" " + name) }, "\(name)")
    }
  }
}
