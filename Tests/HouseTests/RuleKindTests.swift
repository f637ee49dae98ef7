import Foundation
import Testing

/// A kind of rule is defined in one file of `Rules/`. Code elsewhere asks for a property of the kind or the rule, and
/// compares with no kind, so that a new one is complete with its file.
@Suite("Kinds of rules")
struct RuleKindTests {
  private static let folder = "Sources/GatehousePolicy/Rules/"
  private static let rooms = [
    "GatehousePolicy", "GatehousePolicyFile", "GatehouseWire", "GatehouseAdminWire", "GatehouseClient",
    "GatehouseIdentity",
    "GatehouseServer", "GatehouseAssembly",
  ]

  /// The names of the kinds in Swift.
  private static func kinds() throws -> Set<String> {
    Set(
      try WallTests.lines(of: "GatehousePolicy").filter { $0.file.hasPrefix(folder) }.compactMap {
        $0.text.firstMatch(of: /static let (\w+) = RuleKind\(/).map { String($0.1) }
      })
  }

  /// The kinds that a line compares with. In a pattern of a switch only names that no other type has are told apart.
  private static func compared(_ text: Substring, _ kinds: Set<String>) -> [String] {
    let code = text.prefix { $0 != "/" }
    var names = code.matches(of: /[kK]ind [!=]= \.(\w+)/).map { String($0.1) }
    if code.contains("case ") {
      names += code.prefix { $0 != ":" }.matches(of: /\.(minLength|maxLength|notIn)\b/).map { String($0.1) }
    }
    if code.contains(/\]\.contains\(.*[kK]ind\)/) { names += code.matches(of: /\.(\w+)/).map { String($0.1) } }
    return names.filter(kinds.contains)
  }

  private static func breaches(_ isHere: (String) -> Bool) throws -> [String] {
    let kinds = try kinds()
    return try rooms.flatMap { room in
      try WallTests.lines(of: room).filter { isHere($0.file) }.flatMap { line in
        compared(line.text, kinds).map { "\(line.file):\(line.number): \($0)" }
      }
    }
  }

  @Test("no code outside their files compares with a kind of rule")
  func oneDefinition() throws {
    #expect(try Self.kinds().count >= 27)
    #expect(try Self.breaches { !$0.hasPrefix(Self.folder) } == [])
  }

  @Test("the same look finds the comparisons in their files")
  func negativeControl() throws {
    let found = try Self.breaches { $0.hasPrefix(Self.folder) }
    #expect(found.contains { $0.hasSuffix(" required") } && found.contains { $0.hasSuffix(" require") })
    let kinds: Set = ["minLength", "notIn", "required"]
    let samples = [
      "case (.minLength, .integer(let bound)): bound", "guard [.notIn].contains(rule.kind) else {",
      "rules.filter { $0.kind != .required }",
    ]
    for sample in samples { #expect(Self.compared(Substring(sample), kinds).count == 1, "\(sample)") }
    #expect(Self.compared("case .body where waiting.kind == .body:", kinds) == [])
  }
}
