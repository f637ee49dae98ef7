import Foundation
import GatehouseWire

enum Moment {
  /// `2026-11-20 10:00`, for people; the time zone is UTC and said beside it.
  static func text(_ date: Date) -> String {
    String(Timestamp(date).description.prefix(16)).replacingOccurrences(of: "T", with: " ")
  }
}
