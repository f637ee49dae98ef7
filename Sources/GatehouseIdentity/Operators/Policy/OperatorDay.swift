import Foundation
import GatehousePolicy

/// Days in the input of operators.
enum OperatorDay {
  /// The day's first moment in UTC.
  static func instant(_ text: String, _ name: String) throws -> Date {
    guard let day = Day(text) else { throw Refusal.malformed("/" + name, "must be a day like 2027-03-01") }
    return Date(timeIntervalSince1970: Double(day.startSeconds))
  }
}
