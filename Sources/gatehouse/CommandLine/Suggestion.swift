import GatehousePolicyFile

extension Suggestion {
  /// `; did you mean "x"?`, or nothing. A word that begins one of the candidates is meant, however short.
  static func phrase(for typed: String, among words: [String]) -> String {
    let meant = nearest(to: typed, among: words) ?? words.first { typed.utf8.count >= 3 && $0.hasPrefix(typed) }
    return meant.map { "; did you mean \"\($0)\"?" } ?? ""
  }
}
