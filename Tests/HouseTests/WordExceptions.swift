/// Files that have a word with another meaning, one a line.
enum WordExceptions {
  /// SARIF has locations, and calls them that in its format.
  static let locations: Set<String> = ["Sources/GatehousePolicyFile/Check/SARIF.swift"]
}
