/// The parses of a task, for tests that hold a command to one parse of each text.
package enum Parsing {
  /// Is told of each text before it is parsed; nil outside of tests.
  @TaskLocal package static var observer: (@Sendable (_ bytes: [UInt8]) -> Void)?
}
