import GatehousePolicy

/// Reports names that nothing in the file defines: each of them once, and none where the part that would define it
/// could not be read, because that part has its own finding.
struct References {
  let sink: Diagnostics
  /// The file as it is written, misspelt keys put right.
  let root: Node

  private var fields: Node? { root["profile"]?["fields"] }

  /// A profile field.
  /// - Parameter what: how messages call it.
  func unknownField(
    _ name: String, what: String = "profile field", at range: SourceRange, among names: @autoclosure () -> [String]
  ) {
    sink.unknown(
      name, .field, code: .unknownField, "no \(what) \(quoted(name))", at: range,
      isOfAnotherMistake: isUnreadable(["profile", "fields"], name), notes: Notes.near(name, names()))
  }

  /// A provider that is no password.
  func unknownProvider(
    _ name: String, _ message: String, at range: SourceRange, among names: @autoclosure () -> [String]
  ) {
    sink.unknown(
      name, .provider, code: .unknownProvider, message, at: range,
      isOfAnotherMistake: isUnreadable(["providers"], name), notes: Notes.near(name, names()))
  }

  /// A user of the tests.
  func unknownUser(_ name: String, at range: SourceRange, among names: @autoclosure () -> [String]) {
    sink.unknown(
      name, .user, code: .unknownUser, "no user \(quoted(name))", at: range,
      isOfAnotherMistake: isUnreadable(["users"], name), notes: Notes.near(name, names()))
  }

  /// A rule by its id. The ids of a field that there is not are one name, that of the field.
  func unknownRule(
    _ id: String, code: DiagnosticCode, _ message: String, at range: SourceRange, among ids: @autoclosure () -> [String]
  ) {
    let owner = String(decoding: id.utf8.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
    let isOfField = !Self.owners.contains(owner) && !owner.contains("*") && fields?.entry(owner) == nil
    func notes() -> [Diagnostic.Note] {
      let ids = ids()
      guard isOfField, Suggestion.nearest(to: id, among: ids) == nil else { return Notes.near(id, ids) }
      return Notes.near(owner, Self.owners + (fields?.map ?? []).map(\.key))
    }
    sink.unknown(
      isOfField ? owner : id, isOfField ? .field : .rule, code: code, message, at: range,
      isOfAnotherMistake: isUnreadable(owner, id), notes: notes())
  }

  /// The first words of rule ids that are no fields.
  private static let owners = ["email", "password", "access", "mfa"]

  private func isUnreadable(_ owner: String, _ id: String) -> Bool {
    switch owner {
    case "email": isUnreadable(["identifiers", "email"])
    case "password", "access", "mfa": isUnreadable([owner])
    case _ where owner.contains("*"): (root.map ?? []).contains { !Self.tests.contains($0.key) && hasErrors($0) }
    default: fields?.entry(owner).map(hasErrors) ?? isUnreadable(["profile", "fields"], owner)
    }
  }

  /// The sections that define nothing of the policy.
  static let tests = ["tests", "tests_at", "users", "always"]

  private func hasErrors(_ entry: Node.Entry) -> Bool { sink.hasErrors(in: entry.range) }

  /// Whether a section has errors, or may be what an unknown key stands for.
  private func isUnreadable(_ path: [String]) -> Bool {
    var node = root
    for key in path {
      guard let entry = node.entry(key) else { return node.map == nil || sink.isUnclear(node) }
      node = entry.value
    }
    return sink.hasErrors(in: node.range)
  }

  /// Whether a map of names is none, may be what an unknown key stands for, or has the name with errors of its own.
  private func isUnreadable(_ path: [String], _ name: String) -> Bool {
    var node = root
    for key in path {
      guard let entry = node.entry(key) else { return node.map == nil || sink.isUnclear(node) }
      node = entry.value
    }
    return node.map == nil || (node.entry(name).map(hasErrors) ?? false)
  }
}

extension Node.Entry {
  /// From the key to the end of its value.
  var range: SourceRange { SourceRange(keyRange.start, max(keyRange.end, value.range.end)) }
}
