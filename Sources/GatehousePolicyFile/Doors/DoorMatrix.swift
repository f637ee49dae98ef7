package import GatehousePolicy

/// Which rule binds at which door, as the policy is evaluated and not only as its file reads.
package struct DoorMatrix: Sendable {
  /// The effect of a rule at a door.
  package enum Cell: Sendable, Equatable {
    /// Nothing that the rule is about comes in here.
    case closed
    /// It comes in, and this rule does not look at it.
    case unguarded
    case off
    case warns
    /// Warns until the day, enforces from then on.
    case warnsUntil(Day)
    /// Refuses nothing, and limits access until it is done: a next step.
    case asks
    case enforces

    /// One letter for a dense table.
    package var letter: Character {
      switch self {
      case .closed: " "
      case .unguarded: "."
      case .off: "-"
      case .warns: "w"
      case .warnsUntil: "d"
      case .asks: "n"
      case .enforces: "E"
      }
    }

    /// A word for programs.
    package var word: String {
      switch self {
      case .closed: "closed"
      case .unguarded: "unguarded"
      case .off: "off"
      case .warns: "warns"
      case .warnsUntil(let day): "warns until \(day)"
      case .asks: "asks"
      case .enforces: "enforces"
      }
    }
  }

  package struct Row: Sendable {
    package let rule: String
    /// 0 where no line of the file says so.
    package let line: Int
    /// In the order of `Door.allCases`.
    package let cells: [Cell]

    package subscript(_ door: Door) -> Cell {
      Door.allCases.firstIndex(of: door).map { cells[$0] } ?? .closed
    }
  }

  /// In the order violations come in.
  package let rows: [Row]
  /// The facts about other users that the directory tells users with full access; nil where it finds no user for them.
  package let directory: String?

  package init(_ policy: Policy) {
    var rows = Builder(policy: policy).rows
    if policy.profile.unknownFields == .reject {
      let entries = policy.entries(of: .field)
      rows.append(
        Row(
          rule: "*.unknown", line: policy.profile.position.line,
          cells: Door.allCases.map { entries.contains($0) ? .enforces : .closed }))
    }
    self.rows = rows
    directory = policy.directory.map { "users find each other \($0.summary)" }
  }
}

/// Fills the cells.
private struct Builder {
  let policy: Policy

  var rows: [DoorMatrix.Row] {
    let email = policy.identifiers.email
    var rows = [
      row(email.requiredRule, binds: policy.entries(of: .email).subtracting(DoorSet([.link])), .atNextChange),
      row(email.syntaxRule, binds: policy.entries(of: .email), .atNextChange),
    ]
    rows += email.effectiveRules.map { row($0, binds: $0.doors, $0.existing ?? email.existing) }
    let password = policy.password
    rows.append(row(password.requiredRule, binds: policy.entries(of: .password), .atNextChange))
    rows += password.rules.map { row($0, binds: $0.doors, $0.existing ?? $0.kind.ownExisting ?? password.existing) }
    for field in policy.profile.fields { rows += self.rows(field) }
    return rows
  }

  private func rows(_ field: Field) -> [DoorMatrix.Row] {
    let entries = policy.entries(of: field)
    var rows = field.rules.map { rule in
      row(rule, binds: rule.doors, rule.existing ?? field.existing, entries: entries)
    }
    rows.append(row(field.typeRule, binds: entries, .atNextChange, entries: entries))
    if [.url, .date, .phone].contains(field.type) {
      rows.append(row(field.formatRule, binds: entries, .atNextChange, entries: entries))
    }
    if field.write != .user {
      let creating = DoorSet([.signUp, .federatedSignUp])
      var users = policy.entries(of: .field).intersection(creating.union(DoorSet([.updateProfile])))
      if field.write == .userAtSignUp { users.remove(creating) }
      rows.append(row(field.writeRule, binds: users, .atNextChange, entries: users))
    }
    if field.unique != nil { rows.append(row(field.uniqueRule, binds: entries, .atNextChange, entries: entries)) }
    return rows
  }

  private func row(
    _ rule: Rule, binds: DoorSet, _ existing: Existing, entries: DoorSet? = nil
  ) -> DoorMatrix.Row {
    let entries = entries ?? policy.entries(of: rule.target)
    let cells = Door.allCases.map { door in
      door == .signIn ? atSignIn(rule, existing) : cell(rule, door, entries, binds)
    }
    return DoorMatrix.Row(rule: rule.id, line: rule.position.line, cells: cells)
  }

  private func cell(_ rule: Rule, _ door: Door, _ entries: DoorSet, _ binds: DoorSet) -> DoorMatrix.Cell {
    guard entries.contains(door) else { return .closed }
    guard binds.contains(door) else { return .unguarded }
    let stage = stage(rule)
    // A user who comes by a provider or an invitation is asked afterwards for missing fields.
    let asks = rule.target == .field && rule.isRequired && (door == .federatedSignUp || door == .invite)
    return asks && stage == .enforces ? .asks : stage
  }

  private func stage(_ rule: Rule) -> DoorMatrix.Cell {
    switch (rule.enforcement.mode, rule.enforcement.from) {
    case (.off, _): .off
    case (.warn, let day?): .warnsUntil(day)
    case (.warn, nil): .warns
    case (.enforce, _): .enforces
    }
  }

  /// This door refuses no user: what a rule means for stored accounts is its `existing`.
  private func atSignIn(_ rule: Rule, _ existing: Existing) -> DoorMatrix.Cell {
    guard rule.target != .password || policy.hasPassword else { return .closed }
    let stage = stage(rule)
    if rule.target == .password, stage != .enforces, stage != .off {
      return rule.doors.contains(.signIn) || existing != .atNextChange ? stage : .closed
    }
    guard stage == .enforces, !rule.kind.isImplied else { return .closed }
    switch existing {
    case .atNextChange: return .closed
    case .promptAtSignIn: return .warns
    case .requireAtSignIn: return .asks
    }
  }
}

extension DirectoryPolicy {
  /// `by email, by prefix of displayName, at most 30/1m for each of them`
  var summary: String {
    let ways = findBy.map { way in
      way == .prefix ? "by prefix of \(prefixOf.joined(separator: ", "))" : "by \(way.rawValue)"
    }
    return "\(ways.joined(separator: ", ")), at most \(limit) for each of them"
  }
}

extension DoorMatrix {
  /// The matrix for a terminal: the names of the doors stand as stairs above their columns.
  /// - Parameter name: How the file is called.
  package func text(_ name: String) -> String {
    let width = max(20, rows.map { $0.rule.unicodeScalars.count }.max() ?? 0) + 2
    var lines = Door.allCases.enumerated().map { index, door in
      let stairs = String(repeating: "| ", count: index)
      return (index == 0 ? padded(name, to: width) : padded("", to: width)) + stairs + door.rawValue
    }
    for row in rows {
      let cells = row.cells.map { String($0.letter) }.joined(separator: " ")
      lines.append(trimmed(padded(row.rule, to: width) + cells))
    }
    if let directory { lines.append(directory) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The meaning of the letters.
  package static let legend =
    "E enforces   w warns   d warns until its date   n asks for it as a next step   - off   . does not bind here"

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.unicodeScalars.count))
  }

  private func trimmed(_ text: String) -> String {
    var text = text
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
