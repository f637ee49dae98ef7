import Foundation
import Testing

@testable import gatehouse

@Suite("The list of log events")
struct LogEventsTests {
  @Test("every event that the code writes is in the list, and no other")
  func complete() throws {
    #expect(LogEvents.all.map(\.name) == (try SourceWords.logEvents()).sorted())
  }

  @Test("the list has the level that the code writes")
  func levels() throws {
    let listed = Dictionary(LogEvents.all.map { ($0.name, $0.level.rawValue) }) { $1 }
    let written = try SourceWords.logLevels()
    #expect(written.count > 30)
    for (name, level) in written { #expect(listed[name] == level, "\(name)") }
  }

  @Test("docs/log-events.md is the list")
  func page() throws {
    let file = ConfigTests.root.appending(path: "docs/log-events.md")
    if ProcessInfo.processInfo.environment["GATEHOUSE_WRITE_ANSWERS"] != nil {
      try LogEvents.page.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == LogEvents.page)
  }

  @Test("docs/metrics.md lists every metric that the code has, with its help text")
  func metrics() throws {
    let file = ConfigTests.root.appending(path: "docs/metrics.md")
    let page = try MetricPage.text()
    if ProcessInfo.processInfo.environment["GATEHOUSE_WRITE_ANSWERS"] != nil {
      try page.write(to: file, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == page)
    for name in try SourceWords.metrics() { #expect(page.contains("| `\(name)"), "\(name) has no help text") }
  }
}

/// The page of metrics, made from the sources: a figure stands there with its name and its help text, and an alarm over
/// it with its action.
enum MetricPage {
  static func text() throws -> String {
    let help = try SourceWords.metricHelp()
    let actions = try actions(of: Set(help.keys))
    let rows = help.sorted { $0.key < $1.key }.map { name, meaning in
      "| `\(name)` | \(meaning) | \(actions[name, default: []].joined(separator: " / ")) |\n"
    }
    return """
      # Metrics

      `GET /metrics` at the operations address has these families, in the form of Prometheus. `_total` ends the name of
      a counter; `_bucket`, `_sum` and `_count` end the names of a histogram. The last column has the alarms of
      `deploy/prometheus-rules.yml` over a metric, each with what to do. The kinds of `gatehouse_failures_total` are the
      events of [log-events.md](log-events.md) with an underscore for the point.

      | Metric | Meaning | Alarms, and what to do |
      |---|---|---|

      """ + rows.joined()
  }

  /// The alarms over each metric, as `name: action`.
  private static func actions(of names: Set<String>) throws -> [String: [String]] {
    let rules = try String(
      contentsOf: ConfigTests.root.appending(path: "deploy/prometheus-rules.yml"), encoding: .utf8)
    var found: [String: [String]] = [:]
    for alarm in rules.components(separatedBy: "- alert: ").dropFirst() {
      guard let title = alarm.firstMatch(of: /^\w+/)?.output, let action = alarm.firstMatch(of: /action: "(.*)"/)?.1
      else {
        continue
      }
      let expression = alarm.components(separatedBy: "annotations:")[0]
      let meant = Set(
        expression.matches(of: /(?:gatehouse|process)_[a-z_]+/).map {
          String($0.output).replacing(/_(?:total|bucket|sum|count)$/, with: "")
        })
      for name in meant.intersection(names) {
        found[name, default: []].append("\(title): \(action.replacing("|", with: "\\|"))")
      }
    }
    return found
  }
}
