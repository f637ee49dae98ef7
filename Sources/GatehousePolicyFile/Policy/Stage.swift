package import Foundation
package import GatehousePolicy

/// A stage of a live policy that needs the operator's attention.
package enum Stage: Sendable, Equatable {
  /// A rule that warns will bind within a week.
  case due(rule: String, on: Day)
  /// A rule has only warned for long, and no day is set.
  case stale(rule: String)
  /// An exception ends within a week.
  case ending(rule: String, on: Day)

  /// `due`, `stale`, `ending`.
  package var state: String {
    switch self {
    case .due: "due"
    case .stale: "stale"
    case .ending: "ending"
    }
  }

  /// Days a rule may warn without a date before it is stale.
  package static let patience = 90
  /// How early a day is announced, in seconds.
  static let notice = 7.0 * 86_400
}

extension Policy {
  /// The stages of a policy live since a moment that are due this week, or stale, in the order of the file.
  package func stages(at now: Date, since: Date) -> [Stage] {
    let rules = staged.compactMap { id, stage, _ -> Stage? in
      guard stage.mode == .warn else { return nil }
      guard let from = stage.from else {
        return now.timeIntervalSince(since) > Double(Stage.patience) * 86_400 ? .stale(rule: id) : nil
      }
      return isNear(from, now) ? .due(rule: id, on: from) : nil
    }
    return rules + exceptions.filter { isNear($0.until, now) }.map { .ending(rule: $0.rule, on: $0.until) }
  }

  private func isNear(_ day: Day, _ now: Date) -> Bool {
    let left = Double(day.startSeconds) - now.timeIntervalSince1970
    return left > -86_400 && left <= Stage.notice
  }
}
