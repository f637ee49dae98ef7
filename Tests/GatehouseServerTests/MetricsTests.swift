import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

@testable import GatehouseServer

/// Prometheus's own Python client reads the text.
enum PrometheusClient {
  /// Prints each sample as a JSON line; fails on anything that is not the text format.
  private static let script = """
    import sys, json
    from prometheus_client.parser import text_string_to_metric_families
    for family in text_string_to_metric_families(sys.stdin.read()):
        if not family.documentation or family.type not in ("counter", "gauge", "histogram", "summary"):
            sys.exit(f"{family.name}: {family.type} {family.documentation!r}")
        for sample in family.samples:
            print(json.dumps({"family": family.name, "type": family.type, "name": sample.name,
                              "labels": sample.labels, "value": sample.value}))
    """

  struct Sample {
    let family: String
    let type: String
    let name: String
    let labels: [String: String]
    let value: Double
  }

  static func read(_ text: String) throws -> [Sample] {
    let outcome = try Python.run(script, input: text)
    guard outcome.status == 0 else { throw Unreadable(why: outcome.errors) }
    return try outcome.output.split(separator: "\n").map { line in
      let json = try JSONParser.parse(Array(line.utf8))
      let value: Double =
        switch json["value"] {
        case .integer(let whole)?: Double(whole)
        case .number(let text)?: Double(text) ?? .nan
        default: .nan
        }
      let labels = (json["labels"]?.object?.members ?? []).map { ($0.key, $0.value.string ?? "") }
      return Sample(
        family: json["family"]?.string ?? "", type: json["type"]?.string ?? "", name: json["name"]?.string ?? "",
        labels: Dictionary(labels) { $1 }, value: value)
    }
  }

  struct Unreadable: Error { let why: String }
}

@Suite("Metrics, read by Prometheus's own client")
struct MetricsTests {
  private func record(
    _ route: String = SignInEndpoint.path, tenant: String? = "dd-ride", status: Int = 200, code: ErrorCode? = nil,
    violated: [String] = [], warned: [String] = [], microseconds: Int = 700
  ) -> RequestRecord {
    RequestRecord(
      requestID: "1", tenant: tenant, method: "POST", route: route, status: status, code: code, violated: violated,
      warned: warned, microseconds: microseconds)
  }

  @Test("requests, latencies, sign-ins, verdicts and failures are counted under their labels")
  func counts() throws {
    let metrics = Metrics()
    metrics.expect(failures: ["mail_refused", "policy_refused"])
    metrics.count(record(warned: ["password.min8"]))
    metrics.count(record(status: 401, code: .invalidCredentials, microseconds: 600_000))
    metrics.count(
      record(SignUpEndpoint.path, status: 422, code: .validationFailed, violated: ["email.allowed_domains"]))
    metrics.count(record("(none)", tenant: nil, status: 404, code: .notFound))
    metrics.countFailure("mail_refused")
    let samples = try PrometheusClient.read(metrics.text)
    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
      samples.first { sample in
        sample.name == name && labels.allSatisfy { sample.labels[$0.key] == $0.value }
      }?.value
    }
    #expect(value("gatehouse_requests_total", ["route": SignInEndpoint.path, "status": "401", "method": "POST"]) == 1)
    #expect(value("gatehouse_requests_total", ["route": "(none)", "status": "404"]) == 1)
    #expect(value("gatehouse_refusals_total", ["code": "validation_failed"]) == 1)
    #expect(value("gatehouse_sign_ins_total", ["tenant": "dd-ride", "result": "success"]) == 1)
    #expect(value("gatehouse_sign_ins_total", ["tenant": "dd-ride", "result": "invalid_credentials"]) == 1)
    #expect(
      value("gatehouse_rule_verdicts_total", ["rule": "email.allowed_domains", "verdict": "violated"]) == 1)
    #expect(value("gatehouse_rule_verdicts_total", ["rule": "password.min8", "verdict": "warned"]) == 1)
    #expect(value("gatehouse_failures_total", ["kind": "mail_refused"]) == 1)
    #expect(value("gatehouse_failures_total", ["kind": "policy_refused"]) == 0)
    for (bound, count) in [("0.0005", 0), ("0.001", 3), ("0.25", 3), ("1.0", 4), ("5.0", 4)] {
      #expect(value("gatehouse_request_seconds_bucket", ["le": bound]) == Double(count), "\(bound)")
    }
    #expect(value("gatehouse_request_seconds_bucket", ["le": "+Inf"]) == 4)
    #expect(value("gatehouse_request_seconds_count") == 4)
    #expect(value("gatehouse_request_seconds_sum") == 0.6021)
    #expect(value("gatehouse_route_seconds_count", ["route": SignInEndpoint.path]) == 2)
    // A sign-in is one at the sign-in route only.
    #expect(samples.filter { $0.name == "gatehouse_sign_ins_total" }.map(\.value).reduce(0, +) == 2)
    let buckets = samples.filter { $0.name == "gatehouse_request_seconds_bucket" }.map(\.value)
    #expect(buckets == buckets.sorted(), "a histogram's buckets grow")
  }

  @Test("refusals are counted by tenant and limit")
  func refusals() throws {
    let metrics = Metrics()
    var limited = record(SignUpEndpoint.path, status: 429, code: .rateLimited)
    limited.limit = "sign_up_per_ip"
    metrics.count(limited)
    metrics.count(record("(none)", tenant: nil, status: 404, code: .notFound))
    let samples = try PrometheusClient.read(metrics.text).filter { $0.name == "gatehouse_refusals_total" }
    #expect(samples.count == 2)
    #expect(
      samples.contains {
        $0.labels == ["code": "rate_limited", "tenant": "dd-ride", "limit": "sign_up_per_ip"] && $0.value == 1
      })
    #expect(samples.contains { $0.labels["code"] == "not_found" && $0.labels["tenant"] == "" })
  }

  @Test("with ten thousand tenants the refusals have a bounded number of series, and none is lost")
  func manyTenants() throws {
    let metrics = Metrics()
    for round in 0..<3 {
      for tenant in 0..<10_000 {
        metrics.count(record(tenant: "t\(tenant)", status: 401, code: .invalidCredentials))
        // One of the late ones is busy.
        if tenant.isMultiple(of: 2), round > 0 {
          metrics.count(record(tenant: "busy", status: 429, code: .tooManyAttempts))
        }
      }
    }
    let samples = try PrometheusClient.read(metrics.text).filter { $0.name == "gatehouse_refusals_total" }
    #expect(Set(samples.compactMap { $0.labels["tenant"] }).count <= NamedTenants.most + 1)
    #expect(samples.contains { $0.labels["tenant"] == "busy" && $0.value > 8000 })
    #expect(samples.contains { $0.labels["tenant"] == NamedTenants.others && $0.value > 29_000 })
  }

  @Test("what several count for themselves is one figure")
  func tallies() throws {
    let metrics = Metrics()
    for tally in [metrics.tally(), metrics.tally()] {
      metrics.count(record(status: 401, code: .invalidCredentials, microseconds: 700), in: tally)
      metrics.count(record(microseconds: 100), in: tally)
    }
    metrics.count(record(microseconds: 100))
    let samples = try PrometheusClient.read(metrics.text)
    func value(_ name: String, _ label: String, _ text: String) -> Double? {
      samples.first { $0.name == name && $0.labels[label] == text }?.value
    }
    #expect(value("gatehouse_requests_total", "status", "200") == 3)
    #expect(value("gatehouse_requests_total", "status", "401") == 2)
    #expect(value("gatehouse_request_seconds_bucket", "le", "0.0005") == 3)
    #expect(value("gatehouse_request_seconds_bucket", "le", "+Inf") == 5)
    #expect(samples.first { $0.name == "gatehouse_request_seconds_sum" }?.value == 0.0017)
    #expect(value("gatehouse_refusals_total", "code", "invalid_credentials") == 2)
    #expect(value("gatehouse_sign_ins_total", "result", "invalid_credentials") == 2)
  }

  @Test("the text of a label or a help line cannot break out of it")
  func escaping() throws {
    let nasty = "a\"} 1\nevil{x=\"\\"
    let metrics = Metrics()
    metrics.count(record(tenant: nasty, violated: [nasty]))
    metrics.add { [.gauge("gatehouse_test", "one\ntwo \\ three", [.init(7, labels: [("name", nasty)])])] }
    let samples = try PrometheusClient.read(metrics.text)
    #expect(samples.contains { $0.name == "gatehouse_test" && $0.labels["name"] == nasty && $0.value == 7 })
    #expect(samples.contains { $0.labels["rule"] == nasty && $0.labels["tenant"] == nasty })
    #expect(!samples.contains { $0.name.hasPrefix("evil") })
  }

  @Test("the reader refuses what is not the text format")
  func negativeControl() {
    #expect(throws: PrometheusClient.Unreadable.self) { try PrometheusClient.read("gatehouse_x{a=\"b} 1\n") }
    #expect(throws: PrometheusClient.Unreadable.self) { try PrometheusClient.read("gatehouse_x one\n") }
    #expect(throws: PrometheusClient.Unreadable.self, "no type") { try PrometheusClient.read("gatehouse_x 1\n") }
  }

  @Test("however many rules and tenants there are, the figures stay bounded and lose no count")
  func bounded() throws {
    let metrics = Metrics()
    for number in 0..<25_000 {
      metrics.count(record(tenant: "t\(number)", status: 422, code: .validationFailed, violated: ["r\(number)"]))
    }
    let samples = try PrometheusClient.read(metrics.text)
    for name in ["gatehouse_rule_verdicts_total", "gatehouse_sign_ins_total"] {
      let those = samples.filter { $0.name == name }
      #expect(those.count == 20_001)
      #expect(those.map(\.value).reduce(0, +) == 25_000)
      #expect(those.first { $0.labels["tenant"] == "(other)" }?.value == 5000)
    }
  }
}
