import GatehousePolicy

/// The keys of `directory`.
enum DirectoryKeys {
  static let directory = SettingTable<DirectoryPolicy>(
    "directory",
    [
      .words(
        "find_by", \.findBy, count: 1...3, isSet: true, .fewerIsStricter, trust: false, required: true,
        "The keys by which a user looks others up: a whole address, a whole username, the beginning of a name."),
      Setting(
        Key(
          "prefix_of", trust: false, .fewerIsStricter, .list(.text(Forms.fieldName), count: 1...3),
          "With prefix: the fields that begin with the text; text fields with visible_to: users."),
        read: { node, directory in directory.prefixOf = node.texts ?? [] },
        canonical: { .strings($0.prefixOf.sorted()) }),
      Setting(
        Key(
          "limit", trust: false, .limit, .limit,
          "Lookups of one account in a span, 30/1m by default; at most two a second."),
        read: { node, directory in if let limit = node.limit { directory.limit = limit } },
        canonical: { .string($0.limit.description) }),
    ])
}

extension PolicyReader {
  /// How users find each other.
  func directory(_ entry: Node.Entry?, _ profile: ProfilePolicy) -> DirectoryPolicy? {
    guard let entry else { return nil }
    let node = entry.value
    let directory = DirectoryKeys.directory.read(node, over: DirectoryPolicy(findBy: [], position: entry.position))
    guard !sink.hasErrors(in: entry.range) else { return directory }
    if let limit = node["limit"], !DirectoryPolicy.allows(directory.limit) {
      sink.error(
        .outOfRange,
        "\"limit\" in directory: at most \(DirectoryPolicy.mostPerSecond) lookups a second are allowed on average, got "
          + "\(directory.limit)", at: limit.range, notes: [.init("for example \(DirectoryPolicy.silentLimit)")])
    }
    if let word = node["find_by"]?.list?.first(where: { $0.text == DirectoryPolicy.FindBy.username.rawValue }) {
      searched(DirectoryPolicy.username, by: .username, at: word.range, profile)
    }
    prefix(node, directory, profile)
    return directory
  }

  private func prefix(_ node: Node, _ directory: DirectoryPolicy, _ profile: ProfilePolicy) {
    let word = node["find_by"]?.list?.first { $0.text == DirectoryPolicy.FindBy.prefix.rawValue }
    switch (word, node.entry("prefix_of")) {
    case (let word?, nil):
      let names = profile.fields.filter(\.isSearchable).map(\.name)
      sink.error(
        .missingKey, "\"prefix_of\" is missing in directory: it names the fields that prefix looks at", at: word.range,
        notes: [
          .init(
            names.isEmpty
              ? "no field is text with visible_to: users"
              : "write prefix_of: [\(names.prefix(3).joined(separator: ", "))]")
        ])
    case (nil, let entry?):
      sink.error(
        .keyDoesNotApply, "\"prefix_of\" has no meaning in directory without prefix in find_by", at: entry.keyRange)
    case (_, let entry?):
      for field in entry.value.list ?? [] {
        if let name = field.text { searched(name, by: .prefix, at: field.range, profile) }
      }
    case (nil, nil): break
    }
  }

  /// A field that users look at has to be theirs to see, and a username one account's alone.
  private func searched(
    _ name: String, by word: DirectoryPolicy.FindBy, at range: SourceRange, _ profile: ProfilePolicy
  ) {
    noteComparison()
    guard let field = profile.field(name) else {
      references.unknownField(name, at: range, among: profile.fields.map(\.name))
      return
    }
    // An error in the field itself has its own finding.
    if let written = root["profile"]?["fields"]?.entry(name), sink.hasErrors(in: written.range) { return }
    var lacking: [String] = []
    if field.type != .string { lacking.append("type: string") }
    if field.visibleTo != .users { lacking.append("visible_to: users") }  // GUARD: directory: only what users see
    if word == .username, field.unique == nil { lacking.append("unique:") }
    guard !lacking.isEmpty else { return }
    sink.error(
      .notSearchable,
      "users can not be found by \(word.rawValue): profile field \(quoted(name)) needs \(lacking.joined(separator: ", "))",
      at: range, notes: [.init("the field stands on line \(field.position.line)", line: field.position.line)])
  }
}
