/// The line and column of a value in a policy file, for a trace, a finding or a refusal that points at it.
public struct SourcePosition: Sendable, Hashable, Comparable, CustomStringConvertible {
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
  public static let none = SourcePosition(line: 0, column: 0)

  /// In reading order.
  public static func < (a: SourcePosition, b: SourcePosition) -> Bool { (a.line, a.column) < (b.line, b.column) }

  /// `15:8`
  public var description: String { "\(line):\(column)" }
}
