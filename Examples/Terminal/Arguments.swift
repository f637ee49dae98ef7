/// The words of a command line: a command, its words, and options as `--name value` anywhere among them.
package struct Arguments: Sendable {
  /// The command and what follows it.
  package private(set) var words: [String] = []
  private var options: [String: String] = [:]
  private var flags: Set<String> = []

  /// Options that stand alone.
  private static let alone: Set<String> = ["others", "everywhere", "help", "verbose"]

  package init(_ list: some Sequence<String>) throws {
    var name: String?
    for word in list {
      if let option = name {
        options[option] = word
        name = nil
      } else if word.hasPrefix("--") {
        let option = String(word.dropFirst(2))
        if Self.alone.contains(option) { flags.insert(option) } else { name = option }
      } else {
        words.append(word)
      }
    }
    if let name { throw UsageError("--\(name) needs a value.") }
  }

  /// The value of an option.
  package subscript(option: String) -> String? { options[option] }

  /// Whether an option that stands alone is there.
  package func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value of an option that has to be there.
  package func required(_ option: String) throws -> String {
    guard let value = options[option] else { throw UsageError("--\(option) is missing.") }
    return value
  }

  /// The word at this place after the command. Throws where there is none.
  package func word(_ index: Int, _ what: String) throws -> String {
    guard words.count > index + 1 else { throw UsageError("\(what) is missing.") }
    return words[index + 1]
  }

  /// Words `field=value` after the command; an empty value clears a field.
  package func fields() throws -> [(name: String, value: String?)] {
    try words.dropFirst().map { word in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else { throw UsageError("\(word) is no field=value.") }
      return (String(parts[0]), parts[1].isEmpty ? nil : String(parts[1]))
    }
  }
}

/// A command line that cannot be understood.
package struct UsageError: Error {
  let text: String
  package init(_ text: String) { self.text = text }
}
