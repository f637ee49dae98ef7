import Foundation
import GatehousePolicy
import GatehouseTesting
import Testing

/// Draws values, and compares the verdict of each with that of every example of its class.
/// - Parameter claimed: The rule whose classes are asked, if not that of the probe.
/// - Returns: The first value that is not like the examples of its class; nil where there is none.
private func counterexample(
  _ probe: WitnessProbe, claimed: Rule? = nil, draws: Int, _ random: inout SeededGenerator
) -> String? {
  let rule = claimed ?? probe.rule
  let witnesses = rule.kind.witnesses(of: rule, in: probe.context)
  var verdicts: [String: Set<TraceEntry.Verdict?>] = [:]
  for witness in witnesses {
    guard let name = rule.kind.class(of: witness.value, by: rule, in: probe.context) else {
      return "no class: \(witness)"
    }
    verdicts[name, default: []].insert(probe.verdict(probe.typed(witness.value)))
  }
  if let split = verdicts.first(where: { $0.value.count > 1 }) { return "examples of \(split.key) differ" }
  let examples = (witnesses + probe.rule.kind.witnesses(of: probe.rule, in: probe.context)).map(\.value)
  guard !examples.isEmpty else { return "no examples" }
  for _ in 0..<draws {
    let value = probe.typed(random.value(near: examples))
    let found = probe.verdict(value)
    guard let name = rule.kind.class(of: value, by: rule, in: probe.context) else {
      if let found { return "\(value) is of no class, but judged: \(found)" }
      continue
    }
    guard let expected = verdicts[name] else { return "no example of \(name), as \(value)" }
    if expected != [found] { return "\(value) of \(name): \(found.map { "\($0)" } ?? "not judged"), not \(expected)" }
  }
  return nil
}

@Suite("Classes of inputs")
struct WitnessTests {
  static let probes: [WitnessProbe] =
    [
      .email(.required), .email(.syntax), .email(.plainLocalPart), .email(.denyDisposable), .email(.denySubaddress),
      .email(.denySubaddress, normalize: .none), .email(.maxLength, .integer(5)), .email(.maxLength, .integer(12)),
      .email(.maxLength, .integer(90)), .email(.maxLength, .integer(200)), .email(.maxLength, .integer(254)),
      .email(.allowedDomains, Policies.domains("ksu.edu")),
      .email(.allowedDomains, Policies.domains("ksu.edu", "*.ksu.edu", "cs.ksu.edu", "mail.ksu.edu")),
      .email(.allowedDomains, Policies.domains("*.edu", "edu", "münchen.example", "*.elsewhere.example")),
      .email(.deniedDomains, Policies.domains("gmail.com", "*.gmail.com", "*.mail.gmail.com")),
      .password(.required), .password(.minLength, .integer(1)), .password(.minLength, .integer(8)),
      .password(.maxLength, .integer(1)), .password(.maxLength, .integer(64)), .password(.require, .text("uppercase")),
      .password(.require, .text("lowercase")), .password(.require, .text("digit")),
      .password(.require, .text("special")),
      .password(.notContaining, .texts(["email", "name"])), .password(.notIn, .text("common")),
      .password(.notIn, .text("breached")), .password(.minStrength, .integer(0)), .password(.minStrength, .integer(3)),
      .password(.minStrength, .integer(4)), .password(.notLast, .integer(1)), .password(.notLast, .integer(5)),
      .password(.maxAge, .duration(3600)), .password(.maxAge, .duration(7_776_000)),
      .field(.required), .field(.required, trim: false), .field(.required, .flag(true), .integer, default: 3),
      .field(.minLength, .integer(1)), .field(.minLength, .integer(3)), .field(.maxLength, .integer(20), trim: false),
      .field(.maxLength, .integer(3), .url), .field(.maxLength, .integer(30), .url),
      .field(.maxLength, .integer(4096), .url),
      .field(.httpsOnly, .flag(true), .url), .field(.min, .integer(1), .integer), .field(.max, .integer(4), .integer),
      .field(.min, .integer(.min), .integer), .field(.max, .integer(.max), .integer),
      .field(.values, .texts(["admin", "member"]), .enum), .field(.values, .texts(["another", "x"]), .enum),
      .field(.reserved, .texts(["admin", "straße"])), .field(.allowedRegions, .texts(["US", "DE"]), .phone),
      .field(.allowedRegions, .texts(["XK"]), .phone, region: "GB"),
      .field(.allowedRegions, .texts(["US"]), .phone, region: "US", check: .length),
      .field(.unique, unique: .ignoreCase), .field(.unknown), .field(.write), .field(.write, write: .admin),
      .field(.write, write: .userAtSignUp),
    ]
    + ["a-zA-Z0-9_.", "a-z", "0-9", "letters", "a-z ", " ", "\u{C0}-\u{FF}", "é漢😀", "-", "\u{300}-\u{36F}a"].flatMap {
      [WitnessProbe.field(.charset, Policies.characters($0)), .field(.charset, Policies.characters($0), trim: false)]
    }
    + FieldType.allCases.map { .field(.type, .flag(true), $0) }
    + [FieldType.url, .date, .phone].map { .field(.format, .flag(true), $0) }
    + [.field(.format, .flag(true), .phone, region: "GB", check: .length)]

  /// `script/prove classes` draws more.
  private static let draws =
    ProcessInfo.processInfo.environment["GATEHOUSE_CLASS_DRAWS"].flatMap { Int($0) } ?? 10_000

  @Test("a drawn value gets the verdict of the examples of its class", arguments: probes)
  func sound(probe: WitnessProbe) {
    var random = SeededGenerator()
    let found = counterexample(probe, draws: Self.draws / Self.probes.count + 1, &random)
    #expect(found == nil, "seed \(SeededGenerator.seed)")
  }

  @Test("every kind of rule is drawn from")
  func complete() {
    #expect(Rules.all.filter { kind in !Self.probes.contains { $0.rule.kind == kind } } == [])
  }

  @Test(
    "classes of another parameter are found out",
    arguments: [
      (WitnessProbe.password(.minLength, .integer(8)), Parameter.integer(10)),
      (.field(.maxLength, .integer(20)), .integer(19)), (.field(.min, .integer(1), .integer), .integer(-1)),
      (.email(.maxLength, .integer(90)), .integer(89)), (.password(.notLast, .integer(5)), .integer(6)),
      (.password(.maxAge, .duration(3600)), .duration(3599)), (.password(.minStrength, .integer(3)), .integer(4)),
      (.password(.require, .text("digit")), .text("special")), (.password(.notIn, .text("common")), .text("breached")),
      (.email(.allowedDomains, Policies.domains("ksu.edu")), Policies.domains("edu")),
      (.email(.deniedDomains, Policies.domains("a.example")), Policies.domains("b.example")),
      (.field(.charset, Policies.characters("a-z")), Policies.characters("a-y")),
      (.field(.charset, Policies.characters("letters")), Policies.characters("a-z")),
      (.field(.values, .texts(["a", "b"]), .enum), .texts(["a", "c"])),
      (.field(.reserved, .texts(["admin"])), .texts(["root"])),
      (.field(.allowedRegions, .texts(["US"]), .phone), .texts(["FR"])),
    ])
  func controls(probe: WitnessProbe, parameter: Parameter) {
    var random = SeededGenerator()
    var claimed = probe.rule
    claimed.parameter = parameter
    #expect(counterexample(probe, claimed: claimed, draws: 2_000, &random) != nil)
  }

  @Test("lengths have an example on each side of the bound and at it, one of them outside the BMP")
  func lengths() {
    let probe = WitnessProbe.password(.minLength, .integer(8))
    let texts = probe.rule.kind.witnesses(of: probe.rule, in: probe.context).compactMap { witness -> String? in
      guard case .password(let password) = witness.value else { return nil }
      return password.text
    }
    #expect(texts.map(\.unicodeScalars.count) == [7, 8, 9, 8])
    #expect(texts.last?.unicodeScalars.contains { $0.value > 0xFFFF } == true)
  }
}
