import GatehousePolicy

/// The values of a change as a row of the audit log tells them: `changed.role` is `member -> admin`.
///
/// Only values of a closed vocabulary that administrators alone write are told, and none that administrators alone see.
/// Text that a person types stands in no row (`docs/decisions/0030-told-values.md`).
enum ToldChanges {
  /// Characters of one value, and fields of one row.
  private static let longest = 64
  private static let most = 20

  /// The details of a change; empty where nothing of it is told.
  static func details(
    from old: [String: FieldValue], to new: [String: FieldValue], _ policy: Policy
  ) -> [String: String] {
    let told = policy.profile.fields.filter { isTold($0) && new[$0.name] != nil }.prefix(most)
    var details: [String: String] = [:]
    for field in told {
      let (before, after) = (old[field.name] ?? .null, new[field.name] ?? .null)
      guard !before.isSame(as: after) else { continue }
      details["changed." + field.name] = "\(text(before)) -> \(text(after))"
    }
    return details
  }

  private static func isTold(_ field: Field) -> Bool {
    // GUARD: audit: no value that a person writes
    guard field.write == .admin else { return false }
    // GUARD: audit: no value that administrators see alone
    guard field.visibleTo != .admin else { return false }
    switch field.type {
    case .enum, .boolean: return true
    case .string, .integer, .url, .date, .phone: return false
    }
  }

  private static func text(_ value: FieldValue) -> String {
    switch value {
    case .null, .unsupported: "none"
    case .boolean(let flag): String(flag)
    case .integer(let number): String(number)
    case .string(let text): text.count > longest ? text.prefix(longest - 1) + "…" : text
    }
  }
}
