/// A version of what policy files mean. A revision is stored with the one it was applied under and keeps that meaning
/// until the next apply; a number that a newer server wrote means at least what `current` does.
public struct PolicyLanguage: RawRepresentable, Sendable, Hashable, Comparable {
  /// The number as it is stored.
  public let rawValue: Int

  /// From what is stored.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The password door is open, with or without `password` in `providers:`.
  public static let first = PolicyLanguage(rawValue: 1)
  /// The password door is open where `providers:` names `password`, and where there is no `providers:`.
  public static let passwordByName = PolicyLanguage(rawValue: 2)
  /// A field of type string takes one line, and several where it says `multiline: true`.
  public static let oneLine = PolicyLanguage(rawValue: 3)
  /// The language of texts that are applied now.
  public static let current = oneLine

  /// The earlier one first.
  public static func < (left: PolicyLanguage, right: PolicyLanguage) -> Bool { left.rawValue < right.rawValue }
}
