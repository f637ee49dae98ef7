/// TXT records of DNS.
package protocol TextRecords: Sendable {
  /// The texts of the records at a name, each with its strings joined; empty where there is none. Throws
  /// `TextRecordError`.
  func texts(at name: String) async throws -> [[UInt8]]
}

/// Why it is not known what the TXT records of a name are.
package enum TextRecordError: Error, CustomStringConvertible {
  case noAnswer
  case tooLarge
  case malformed
  /// Too many questions wait already.
  case busy

  package var description: String {
    switch self {
    case .noAnswer: "no answer within 3 seconds"
    case .tooLarge: "the answer is too large"
    case .malformed: "the answer is malformed"
    case .busy: "too many names are being asked for"
    }
  }
}
