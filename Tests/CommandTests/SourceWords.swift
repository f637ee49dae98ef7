import Foundation
import GatehouseTesting

/// Words that stand in the sources as literals, where no type lists them.
enum SourceWords {
  private static let root = URL(filePath: TestLists.root)

  /// All Swift files of these rooms, in one text.
  private static func text(_ rooms: String...) throws -> String {
    try rooms.flatMap { room -> [String] in
      let folder = root.appending(path: "Sources/\(room)")
      let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
      return try names.filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
    }.joined(separator: "\n")
  }

  private static let server = [
    "GatehouseIdentity", "GatehousePostgres", "GatehouseServer", "GatehouseAssembly", "GatehouseOutbound",
    "GatehousePrimitives", "GatehouseWire", "gatehouse",
  ]

  private static func all() throws -> String { try server.map { try text($0) }.joined(separator: "\n") }

  /// The members that audit details are given, in `details: […]` and `details["…"] = …`.
  static func details() throws -> Set<String> {
    let sources = try text("GatehouseIdentity", "GatehousePostgres", "GatehouseServer")
    let assigned = sources.matches(of: /details\["(\w+)"\] =/).map { String($0.1) }
    let given = sources.matches(of: /details: \[/).flatMap { match -> [String] in
      bracket(sources[match.range.upperBound...]).matches(of: /"(\w+)":/).map { String($0.1) }
    }
    return Set(assigned + given)
  }

  /// The text up to the bracket that closes the one before it.
  private static func bracket(_ text: Substring) -> Substring {
    var depth = 1
    return text.prefix { character in
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      return depth > 0
    }
  }

  /// Names of jobs as actors of the audit log: `Actor.system("…")`.
  static func jobActors() throws -> Set<String> {
    Set(try text("GatehouseIdentity", "GatehousePostgres").matches(of: /\.system\("(\w+)"\)/).map { String($0.1) })
  }

  /// Variables of the environment that the program names itself.
  static func variables() throws -> Set<String> {
    Set(try all().matches(of: /"(GATEHOUSE_[A-Z_]+[A-Z])"/).map { String($0.1) })
  }

  /// Every name of a metric.
  static func metrics() throws -> Set<String> {
    Set(try all().matches(of: /"((?:gatehouse|process)_[a-z_]+)",\s*"/).map { String($0.1) })
  }

  /// Events of the log: `noun.verb`.
  static func logEvents() throws -> Set<String> {
    let sources = try text("gatehouse", "GatehouseAssembly", "GatehouseServer")
    let written = sources.matches(of: /\.(?:debug|info|warning|error),\s*"([a-z_.]+)"/).map { String($0.1) }
    let chosen = sources.matches(of: /\? "([a-z]+\.[a-z_]+)" : "([a-z]+\.[a-z_]+)"/).flatMap {
      [String($0.1), String($0.2)]
    }
    let failed = sources.matches(of: /fails: \.init\("[a-z_]+", "([a-z_.]+)"\)/).map { String($0.1) }
    let ranked = sources.matches(of: /[lL]evel, "([a-z_.]+)"/).map { String($0.1) }
    return Set(written + chosen + failed + ranked)
  }

  /// The level that stands beside an event in the code. What a job fails with is an error.
  static func logLevels() throws -> [String: String] {
    let sources = try text("gatehouse", "GatehouseAssembly", "GatehouseServer")
    let written = sources.matches(of: /[( ]\.(debug|info|warning|error),\s*"([a-z_.]+)"[,)]/).filter {
      $0.2.contains(".")
    }
    .map { (String($0.2), String($0.1)) }
    let failed = sources.matches(of: /fails: \.init\("[a-z_]+", "([a-z_.]+)"\)/).map { (String($0.1), "error") }
    return Dictionary(written + failed) { $1 }
  }

  /// The help text of each metric, by its name without its ending.
  static func metricHelp() throws -> [String: String] {
    let pieces = /"((?:gatehouse|process)_[a-z_]+)",\s*"([^"\\]*)"(?:\s*\+\s*"([^"\\]*)")?/
    return Dictionary(
      try all().matches(of: pieces).map { (String($0.1), String($0.2) + ($0.3.map(String.init) ?? "")) }
    ) { $1 }
  }

  /// Everything that stands between quotation marks on one line.
  static func literals() throws -> Set<String> {
    Set(try all().matches(of: /"([^"\n\\]*)"/).map { String($0.1) })
  }

  /// The lines of `Words/literals.txt`, which is written by hand: labels of keyed digests, values of details and other
  /// words that rows hold.
  static func heldLiterals() throws -> [String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Words/literals.txt")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("## ") }
  }
}
