import GatehousePolicy

/// One value of an expectation.
enum AcceptedValue: Equatable {
  case truth(Bool)
  case access(Access)
  case ids(ExpectedIDs)
  case text(String)
  case field(FieldValue)

  /// The value as a test states it.
  /// - Parameter what: As `TestResult.Difference` names it.
  init?(_ what: String, of expect: Expectation) {
    let value: AcceptedValue? =
      switch what {
      case "ok": expect.ok.map(AcceptedValue.truth)
      case "violations": expect.violations.map(AcceptedValue.ids)
      case "warnings": expect.warnings.map(AcceptedValue.ids)
      case "access": expect.access.map(AcceptedValue.access)
      case "admin": expect.admin.map(AcceptedValue.truth)
      case "next": expect.next.map(AcceptedValue.ids)
      case "challenge": expect.challenge.map(AcceptedValue.ids)
      case "offers": expect.offers.map(AcceptedValue.ids)
      case "stored.email": expect.storedEmail.map(AcceptedValue.text)
      default: expect.storedProfile[AcceptedValue.field(of: what)].map(AcceptedValue.field)
      }
    guard let value else { return nil }
    self = value
  }

  /// The value that an outcome requires.
  /// - Throws: where no value expresses the outcome.
  func accepting(_ what: String, _ outcome: Outcome) throws(Unacceptable) -> AcceptedValue {
    let decision = outcome.decision
    switch self {
    case .truth: return .truth(what == "admin" ? outcome.isAdministrator : decision.allow)
    case .access: return .access(decision.access)
    case .ids(let ids): return .ids(try ids.accepting(what, decision.ids(what)))
    case .text:
      guard let email = decision.normalised.email else { throw Unacceptable("no address is stored any more") }
      return .text(email)
    case .field:
      let value = decision.normalised.profile[AcceptedValue.field(of: what)] ?? .null
      if case .unsupported(let kind) = value { throw Unacceptable("\(what) would be \(kind)") }
      return .field(value)
    }
  }

  /// Whether a test with the new value lets through what it demanded to be refused, or makes an administrator.
  func isWeaker(than old: AcceptedValue, _ what: String, _ decision: Decision) -> Bool {
    switch (old, self) {
    case (.truth(let before), .truth(let now)): return now && !before
    case (.access(let before), .access(let now)): return now == .full && before == .limited
    case (.ids(let before), .ids):
      let isDemand = what == "violations" || what == "challenge" || (what == "next" && decision.access == .full)
      guard isDemand else { return false }
      return !before.missing(in: decision.ids(what)).isEmpty
    default: return false
    }
  }

  /// Compared byte by byte, as String equality is canonical equivalence.
  static func == (left: AcceptedValue, right: AcceptedValue) -> Bool { left.json == right.json }

  private var json: JSONText {
    switch self {
    case .truth(let flag): .boolean(flag)
    case .access(let access): .string(access.rawValue)
    case .ids(.exactly(let ids)): .array(ids.map(JSONText.string))
    case .ids(.containing(let includes, let excludes)):
      .object([
        ("includes", .array(includes.map(JSONText.string))), ("excludes", .array(excludes.map(JSONText.string))),
      ])
    case .text(let text), .field(.string(let text)): .string(text)
    case .field(.null): .null
    case .field(.boolean(let flag)): .boolean(flag)
    case .field(.integer(let number)): .integer(number)
    case .field(.unsupported(let kind)): .array([.string(kind)])
    }
  }

  static func field(of what: String) -> String { String(what.dropFirst("stored.profile.".count)) }
}

extension Decision {
  /// A list of ids, as an expectation names it.
  func ids(_ what: String) -> [String] {
    switch what {
    case "violations": violations.map(\.rule)
    case "warnings": warnings.map(\.rule)
    case "challenge": challenge.map(\.rawValue)
    case "offers": offers.map(\.rawValue)
    default: next
    }
  }
}

extension ExpectedIDs {
  /// The expectation that holds for a list and keeps as much of this one as it can.
  func accepting(_ what: String, _ found: [String]) throws(Unacceptable) -> ExpectedIDs {
    if holds(found) { return self }
    switch self {
    case .exactly(let ids): return .exactly(ExpectedIDs.exact(ids, found))
    case .containing(let includes, let excludes):
      let kept = (
        includes: includes.filter { ExpectedIDs.stands($0, in: found) },
        excludes: excludes.filter { !ExpectedIDs.stands($0, in: found) }
      )
      guard kept.includes.isEmpty, kept.excludes.isEmpty else {
        return .containing(includes: kept.includes, excludes: kept.excludes)
      }
      guard found.isEmpty else {
        throw Unacceptable(
          "\(AcceptedTest.name(of: what)) are now \(ExpectedIDs.list(found)), and without "
            + "\(ExpectedIDs.list(includes + excludes)) the test would check nothing of them")
      }
      return .exactly([])
    }
  }

  /// The list that holds exactly for what is found; a family that still stands there stays a family.
  private static func exact(_ ids: [String], _ found: [String]) -> [String] {
    let families = ids.filter { $0.utf8.contains(UInt8(ascii: "*")) }
    var result: [String] = []
    for id in found {
      noteComparison()
      let isWritten = ids.contains { $0.utf8.elementsEqual(id.utf8) }
      let family = isWritten ? nil : families.first { Family.matches($0, id) }
      guard let family else {
        result.append(id)
        continue
      }
      if result.last.map({ !$0.utf8.elementsEqual(family.utf8) }) ?? true { result.append(family) }
    }
    return Family.matches(result, found) ? result : found
  }
}
