import Foundation
import Testing

/// The walls, once more in words: the build refuses an undeclared neighbour, and these tests refuse a declared one that
/// does not belong, with file and line.
@Suite("The house")
struct WallTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  /// What each room may import of ours, and which C modules it owns.
  static let walls: [String: Set<String>] = [
    "GatehousePolicy": [],
    "GatehouseWire": ["GatehousePolicy"],
    "GatehouseAdminWire": ["GatehouseWire", "GatehousePolicy"],
    "GatehouseClient": ["GatehouseWire", "GatehousePolicy", "CCurl"],
    "GatehouseUI": ["GatehouseClient", "GatehousePolicy"],
    "GatehouseClientTesting": ["GatehouseClient", "GatehouseWire", "GatehousePolicy"],
    "GatehousePolicyFile": ["GatehousePolicy", "CYAML", "CPlatform"],
    "GatehousePrimitives": [
      "CCrypto", "CSodium", "CPhoneNumber", "CZxcvbn", "CIDN2", "CMaxMindDB", "CQREncode", "CPlatform",
    ],
    "GatehouseIdentity": [
      "GatehouseWire", "GatehouseAdminWire", "GatehousePolicy", "GatehousePolicyFile", "GatehousePrimitives",
    ],
    "GatehouseRuntime": ["CEvent", "CTLS", "CNGHTTP2", "CPlatform"],
    "GatehousePostgres": [
      "GatehouseIdentity", "GatehousePolicy", "GatehousePrimitives", "GatehouseRuntime", "CPostgreSQL", "CPlatform",
    ],
    "GatehouseOutbound": [
      "GatehouseIdentity", "GatehousePolicy", "GatehousePrimitives", "GatehouseRuntime", "CCurl", "CResolver",
    ],
    "GatehouseServer": [
      "GatehouseIdentity", "GatehouseWire", "GatehouseAdminWire", "GatehousePolicy", "GatehousePrimitives",
      "GatehouseRuntime",
    ],
    "GatehouseAssembly": [
      "GatehousePolicy", "GatehouseWire", "GatehouseAdminWire", "GatehousePolicyFile", "GatehousePrimitives",
      "GatehouseIdentity", "GatehouseRuntime", "GatehousePostgres", "GatehouseOutbound", "GatehouseServer",
    ],
    "gatehouse": [
      "GatehousePolicy", "GatehouseWire", "GatehouseAdminWire", "GatehousePolicyFile", "GatehousePrimitives",
      "GatehouseIdentity", "GatehouseRuntime", "GatehousePostgres", "GatehouseOutbound", "GatehouseServer",
      "GatehouseAssembly", "CPlatform",
    ],
    "GatehouseTesting": ["GatehousePrimitives", "CCrypto", "CPlatform"],
  ]

  /// Rooms that apps' phones run too: only Foundation, and nothing newer than iOS 16.
  static let portable = ["GatehousePolicy", "GatehouseWire"]
  static let tooNew = ["Synchronization", "FoundationEssentials", "Observation"]

  /// What a file of the client imports besides Foundation and our own rooms. A file that is not here imports nothing
  /// else.
  static let clientModules: [String: Set<String>] = [
    "GatehouseClient/Store/FileStore.swift": ["Glibc", "Musl", "Darwin"],
    "GatehouseClient/Store/FileLock.swift": ["Glibc", "Musl", "Darwin"],
    "GatehouseClient/Transport/Curl/CurlThread.swift": ["Glibc", "Musl"],
    "GatehouseClient/Transport/Curl/CurlTransfer.swift": ["CCurl"],
    "GatehouseClient/Transport/Curl/CurlTransfers.swift": ["CCurl"],
    "GatehouseClient/Calls/AuthClient+Tokens.swift": ["FoundationNetworking"],
    "GatehouseClient/Apple/KeychainStore.swift": ["Security"],
    "GatehouseClient/Models/AuthModel.swift": ["Combine", "Observation"],
    "GatehouseClient/Apple/DeviceAttestKeys.swift": ["DeviceCheck"],
    "GatehouseClient/Apple/SystemLog.swift": ["OSLog"],
    "GatehouseClient/Apple/BrowserFlow+Run.swift": ["AuthenticationServices"],
    "GatehouseClient/Apple/PasskeyAnswer.swift": ["AuthenticationServices"],
    "GatehouseClient/Apple/PasskeyController.swift": ["AuthenticationServices"],
    "GatehouseClient/Apple/PasskeyController+Account.swift": ["AuthenticationServices"],
    "GatehouseClient/Apple/DeviceOwnerGate.swift": ["LocalAuthentication"],
  ]

  struct Line {
    let file: String
    let number: Int
    let text: Substring
  }

  /// Every line of a room's Swift files.
  static func lines(of room: String) throws -> [Line] {
    let folder = "\(root)/Sources/\(room)"
    let files = try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])
    return try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
      let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
      return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map {
        Line(file: "Sources/\(room)/\(file)", number: $0.offset + 1, text: $0.element)
      }
    }
  }

  /// The module that a line imports, if it is an import.
  static func imported(_ line: Substring) -> String? {
    let words = line.split(separator: " ")
    guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
      words[..<index].allSatisfy({ ["package", "public", "internal", "private", "@testable"].contains($0) })
    else { return nil }
    return String(words[index + 1].prefix { $0 != "." })
  }

  /// What breaks the wall of a room, as `file:line: import`.
  static func breaches(_ room: String, allowed: Set<String>) throws -> [String] {
    try lines(of: room).compactMap { line in
      guard let module = imported(line.text), module.hasPrefix("Gatehouse") || isOurC(module),
        !allowed.contains(module)
      else { return nil }
      return "\(line.file):\(line.number): \(module)"
    }
  }

  private static func isOurC(_ module: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(root)/Sources/C/\(module)")
  }

  @Test("no room imports what it may not", arguments: walls.keys.sorted())
  func imports(room: String) throws {
    #expect(try Self.breaches(room, allowed: Self.walls[room] ?? []) == [])
  }

  @Test("the check sees a breach: with nothing allowed, the server room breaks its wall")
  func negativeControl() throws {
    #expect(try Self.breaches("GatehouseServer", allowed: []).isEmpty == false)
  }

  @Test("every room is known here and has its card of at most 20 lines")
  func cards() throws {
    let rooms = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/Sources").filter { $0 != "C" }
    for room in rooms where room != "GatehouseServerTesting" { #expect(Self.walls[room] != nil, "\(room)") }
    for room in rooms {
      let card = try String(contentsOfFile: "\(Self.root)/Sources/\(room)/README.md", encoding: .utf8)
      let lines = card.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 21 && lines.count > 3, "\(room)")
    }
  }

  @Test("what phones run imports Foundation alone, and nothing newer than iOS 16", arguments: portable)
  func portableRooms(room: String) throws {
    for line in try Self.lines(of: room) {
      guard let module = Self.imported(line.text) else { continue }
      #expect(!Self.tooNew.contains(module), "\(line.file):\(line.number)")
      #expect(module == "Foundation" || module == "GatehousePolicy", "\(line.file):\(line.number)")
    }
  }

  /// What files of the client import and this table does not give them.
  static func clientBreaches(_ modules: [String: Set<String>]) throws -> [String] {
    try ["GatehouseClient", "GatehouseClientTesting"].flatMap { room in
      try lines(of: room).compactMap { line in
        guard let module = imported(line.text), module != "Foundation", !module.hasPrefix("Gatehouse"),
          modules[String(line.file.dropFirst("Sources/".count))]?.contains(module) != true
        else { return nil }
        return "\(line.file):\(line.number): \(module)"
      }
    }
  }

  @Test("C17 a file of the client imports Foundation and what the table gives it")
  func clientImports() throws { #expect(try Self.clientBreaches(Self.clientModules) == []) }

  @Test("C17 the same look finds files that nothing is given to")
  func clientControl() throws { #expect(try Self.clientBreaches([:]).isEmpty == false) }

  @Test("screens import frameworks of Apple's alone besides the client, and the rules for their words only")
  func screenImports() throws {
    let words = ["Look/Words.swift", "Look/WordTable.swift", "Look/FactorTable.swift", "Look/PasskeyTable.swift"]
    for line in try Self.lines(of: "GatehouseUI") {
      guard let module = Self.imported(line.text) else { continue }
      let isOurs =
        module == "GatehouseClient" || (module == "GatehousePolicy" && words.contains { line.file.hasSuffix($0) })
      let ofApple = ["Foundation", "SwiftUI", "UIKit", "AppKit", "AuthenticationServices", "CoreImage"]
      #expect(isOurs || ofApple.contains(module), "\(line.file):\(line.number)")
    }
  }

  @Test("C17 the client imports the contract and the rules for itself alone")
  func clientHidesTheContract() throws {
    for line in try Self.lines(of: "GatehouseClient") where line.text.contains("import Gatehouse") {
      #expect(!line.text.hasPrefix("public import"), "\(line.file):\(line.number)")
    }
  }

  @Test("SQL is spliced nowhere outside the room that owns it, and there only where it is said")
  func splicing() throws {
    for room in Self.walls.keys where room != "GatehousePostgres" {
      for line in try Self.lines(of: room) {
        #expect(!line.text.contains("unsafeSplicedSQL"), "\(line.file):\(line.number)")
      }
    }
    let rows = try Self.lines(of: "GatehousePostgres").filter {
      $0.file.contains("/Rows/") && $0.text.contains("unsafeSplicedSQL")
    }
    #expect(rows.isEmpty)
  }

  @Test("business code gives no turn away: what is long is walked in batches")
  func turns() throws {
    for room in ["GatehousePolicy", "GatehousePolicyFile", "GatehouseIdentity", "GatehouseServer", "gatehouse"] {
      for line in try Self.lines(of: room) {
        #expect(!line.text.contains("Task.yield"), "\(line.file):\(line.number)")
      }
    }
  }
}
