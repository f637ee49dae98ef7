import GatehousePrimitives
import GatehouseWire

/// What the server counts, in the text form of Prometheus.
package final class Metrics: Sendable {
  private struct State: Sendable {
    var requests: [String: Int] = [:]
    var refusals: [String: Int] = [:]
    var signIns: [String: Int] = [:]
    var buckets = [Int](repeating: 0, count: Metrics.bounds.count + 1)
    var microseconds = 0
    var gauges: [@Sendable () -> [Gauge]] = []
  }

  /// One figure read at the moment of asking.
  package struct Gauge: Sendable {
    package var name: String
    package var labels: [(String, String)]
    package var value: Int

    package init(_ name: String, _ value: Int, labels: [(String, String)] = []) {
      self.name = name
      self.labels = labels
      self.value = value
    }
  }

  /// Upper bounds of the latency histogram, in microseconds.
  private static let bounds = [500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000]

  private let state = LockBox(State())

  package init() {}

  /// Adds figures that are read whenever somebody asks.
  package func add(_ gauges: @escaping @Sendable () -> [Gauge]) { state.withLock { $0.gauges.append(gauges) } }

  func count(_ record: RequestRecord) {
    let isSignIn = record.route == "/v1/sign-in"
    state.withLock { state in
      state.requests["route=\"\(record.route)\",status=\"\(record.status)\"", default: 0] += 1
      if let code = record.code { state.refusals["code=\"\(code.rawValue)\"", default: 0] += 1 }
      if isSignIn, let tenant = record.tenant {
        let result = record.code?.rawValue ?? "success"
        state.signIns["tenant=\"\(tenant)\",result=\"\(result)\"", default: 0] += 1
      }
      let bucket = Metrics.bounds.firstIndex { record.microseconds <= $0 } ?? Metrics.bounds.count
      state.buckets[bucket] += 1
      state.microseconds &+= max(0, record.microseconds)
    }
  }

  /// The exposition text.
  package var text: String {
    let state = state.withLock { $0 }
    var text = ""
    func family(_ name: String, _ type: String, _ help: String, _ values: [(labels: String, value: String)]) {
      guard !values.isEmpty else { return }
      text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
      for value in values {
        text += value.labels.isEmpty ? "\(name) \(value.value)\n" : "\(name){\(value.labels)} \(value.value)\n"
      }
    }
    func counts(_ values: [String: Int]) -> [(labels: String, value: String)] {
      values.sorted { $0.key < $1.key }.map { ($0.key, String($0.value)) }
    }
    family("gatehouse_requests_total", "counter", "Requests answered.", counts(state.requests))
    family("gatehouse_refusals_total", "counter", "Requests refused, by code.", counts(state.refusals))
    family("gatehouse_sign_ins_total", "counter", "Sign-ins with a password, by result.", counts(state.signIns))
    text += "# HELP gatehouse_request_seconds Time from the whole request to its answer.\n"
    text += "# TYPE gatehouse_request_seconds histogram\n"
    var total = 0
    for (index, bound) in Metrics.bounds.enumerated() {
      total += state.buckets[index]
      text += "gatehouse_request_seconds_bucket{le=\"\(Metrics.seconds(bound))\"} \(total)\n"
    }
    total += state.buckets[Metrics.bounds.count]
    text += "gatehouse_request_seconds_bucket{le=\"+Inf\"} \(total)\n"
    text +=
      "gatehouse_request_seconds_sum \(Metrics.seconds(state.microseconds))\ngatehouse_request_seconds_count \(total)\n"
    for (name, gauges) in Dictionary(grouping: state.gauges.flatMap { $0() }, by: \.name).sorted(by: { $0.key < $1.key }
    ) {
      family(
        name, "gauge", "Read at the moment of asking.",
        gauges.map { gauge in
          (gauge.labels.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ","), String(gauge.value))
        })
    }
    return text
  }

  private static func seconds(_ microseconds: Int) -> String {
    let fraction = String(microseconds % 1_000_000 + 1_000_000).dropFirst()
    return "\(microseconds / 1_000_000).\(fraction)"
  }
}
