import Foundation
import Testing

/// A feature has one name in every room: its endpoint in the contract, its row in the table, its file.
@Suite("One name in every room")
struct NameTests {
  /// A row of a table: what the contract calls it, the type that answers, and its verb.
  struct Row: Equatable {
    var contract: String
    var feature: String
    var verb: String
  }

  /// Endpoints that are named apart. A challenge is fetched before a key is registered, and is no registration.
  private static let exceptions: Set = ["AttestChallenge"]

  static func rows(of text: String, suffix: String) -> [Row] {
    // A row of several lines is one.
    let rows = text.replacing(/(\(|,)\n {6,}/) { "\($0.output.1) " }
    return rows.split(separator: "\n").compactMap { line in
      guard line.contains("Route(") else { return nil }
      let names = line.matches(of: /\b([A-Z]\w+)\.(\w+)\b/).map { (String($0.1), String($0.2)) }
      guard let contract = names.first(where: { $0.1 == "self" })?.0, contract.hasSuffix(suffix),
        let last = names.last, last.1 != "self"
      else { return nil }
      return Row(contract: String(contract.dropLast(suffix.count)), feature: last.0, verb: last.1)
    }
  }

  /// Rows whose contract is neither the feature nor verb and feature, such as `ReadUser` of `Users.read`.
  static func strangers(among rows: [Row]) -> [String] {
    rows.filter { row in
      let verb = row.verb.prefix(1).uppercased() + row.verb.dropFirst()
      let names = row.verb == "run" ? [row.feature] : [verb + row.feature, verb + row.feature.dropLast()]
      return !names.contains(row.contract) && !exceptions.contains(row.contract)
    }.map(\.contract)
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: "\(WallTests.root)/Sources/\(path)", encoding: .utf8)
  }

  /// Names of Swift files in a folder and its folders.
  private static func files(_ path: String) -> Set<String> {
    let names = FileManager.default.enumerator(atPath: "\(WallTests.root)/Sources/\(path)")?.allObjects ?? []
    return Set(names.compactMap { ($0 as? String)?.split(separator: "/").last }.map { String($0) })
  }

  /// What the contract declares in a folder: `enum ReadMeEndpoint: Endpoint` is `ReadMe`.
  private static func declared(in folder: String, suffix: String) throws -> Set<String> {
    let texts = try files(folder).map { try text("\(folder)/\($0)") }
    let names = texts.flatMap { text in
      text.matches(of: /\b(?:enum|struct) (\w+):/).map { String($0.1) }.filter { $0.hasSuffix(suffix) }
    }
    return Set(names.map { String($0.dropLast(suffix.count)) })
  }

  @Test("each endpoint of the contract has a route")
  func routes() throws {
    let rows = Self.rows(of: try Self.text("GatehouseServer/API/Routes.swift"), suffix: "Endpoint")
    #expect(try Self.declared(in: "GatehouseWire/Endpoints", suffix: "Endpoint") == Set(rows.map(\.contract)))
  }

  @Test("each operation of the contract has a row")
  func adminRoutes() throws {
    let rows = Self.rows(
      of: try Self.text("GatehouseIdentity/Operators/Table/AdminRoutes.swift"), suffix: "Operation")
    #expect(try Self.declared(in: "GatehouseAdminWire", suffix: "Operation") == Set(rows.map(\.contract)))
  }

  @Test("an endpoint has the name of the feature that answers it")
  func endpoints() throws {
    let rows = Self.rows(of: try Self.text("GatehouseServer/API/Routes.swift"), suffix: "Endpoint")
    #expect(Self.strangers(among: rows) == [] && rows.count > 30)
  }

  @Test("an operation of operators has the name of the type that carries it out, and that type a file")
  func operations() throws {
    let rows = Self.rows(
      of: try Self.text("GatehouseIdentity/Operators/Table/AdminRoutes.swift"), suffix: "Operation")
    let files = Self.files("GatehouseIdentity/Operators")
    #expect(
      Self.strangers(among: rows) == [] && rows.filter { !files.contains("\($0.feature).swift") } == []
        && rows.count > 50)
  }

  @Test("a row of another name is seen")
  func control() {
    let text = "Route(RefreshEndpoint.self, .anonymous, Token.run),\nRoute(ReadMeEndpoint.self, .user, Me.read),"
    #expect(Self.strangers(among: Self.rows(of: text, suffix: "Endpoint")) == ["Refresh"])
  }
}
