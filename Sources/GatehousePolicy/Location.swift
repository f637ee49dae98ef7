/// Where in a policy file something was written, so that a trace, a finding or a refusal can point at it.
public struct Location: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Counted from 1; 0 means "not from a file".
  public var line: Int
  /// Counted from 1 in characters; 0 means "not from a file".
  public var column: Int

  /// Both counted from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// For policies built in code.
  public static let none = Location(line: 0, column: 0)

  /// In reading order.
  public static func < (a: Location, b: Location) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// `15:8`
  public var description: String { "\(line):\(column)" }
}
