import Foundation
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import gatehouse

@Suite("Where development listens")
struct DevelopmentTests {
  private func problems(_ environment: [String: String]) -> [String] {
    let surroundings = Surroundings(environment: environment, userID: 1000)
    var reader = ConfigReader([.variables(surroundings)], surroundings)
    _ = Config(&reader)
    return reader.problems
  }

  private static let advice = "is reached by other machines, and dev is on: listen on 127.0.0.1, or add --dev-anywhere"

  @Test(
    "T143 no listener of it is reached by other machines",
    arguments: [
      ("LISTEN", "listen", "0.0.0.0:8080"), ("LISTEN", "listen", "[::]:8080"), ("LISTEN", "listen", "192.0.2.1:8080"),
      ("OPS_LISTEN", "ops_listen", "0.0.0.0:9090"), ("ADMIN_LISTEN", "admin_listen", "[2001:db8::1]:9091"),
    ])
  func refused(variable: String, key: String, address: String) {
    let environment = ["GATEHOUSE_DEV": "true", "GATEHOUSE_\(variable)": address]
    #expect(problems(environment) == ["GATEHOUSE_\(variable): \(key) \(Self.advice)"])
    #expect(problems(environment.merging(["GATEHOUSE_DEV_ANYWHERE": "true"]) { $1 }) == [])
  }

  @Test("T143 on this machine it listens as before", arguments: ["127.0.0.1:0", "127.8.0.1:1", "[::1]:0"])
  func loopback(address: String) {
    #expect(problems(["GATEHOUSE_DEV": "true", "GATEHOUSE_LISTEN": address]) == [])
  }

  @Test("T143 the word for it has no use without dev")
  func alone() {
    #expect(
      problems(["GATEHOUSE_DEV_ANYWHERE": "true"]) == [
        "GATEHOUSE_DEV_ANYWHERE: dev_anywhere has no use without dev"
      ])
  }

  @Test("T168 limits are relaxed in development alone")
  func limitFactorAlone() {
    #expect(
      problems(["GATEHOUSE_DEV_LIMIT_FACTOR": "5"]) == [
        "GATEHOUSE_DEV_LIMIT_FACTOR: dev_limit_factor needs dev: elsewhere limits are what the policies say"
      ])
  }

  @Test(
    "T168 a factor is a whole number from 1 to 1000",
    arguments: [("0", 1), ("1", 0), ("1000", 0), ("1001", 1), ("2.5", 1), ("many", 1)])
  func limitFactor(text: String, refusals: Int) {
    #expect(problems(["GATEHOUSE_DEV": "true", "GATEHOUSE_DEV_LIMIT_FACTOR": text]).count == refusals)
  }

  @Test(
    "T168 a development server allows a hundred times what its policies say, unless told, and says so",
    arguments: [(nil, 201, 1), ("1", 429, 0)] as [(String?, Int, Int)])
  func relaxed(factor: String?, status: Int, lines: Int) async throws {
    let policy = try TestLists.policy("dd-ride").replacing("sign_up_per_ip: 400/1h", with: "sign_up_per_ip: 1/1h")
    let environment = factor.map { ["GATEHOUSE_DEV_LIMIT_FACTOR": $0] } ?? [:]
    try await ServedApp.run(policies: ["dd-ride": policy], environment: environment) { server, _, app in
      let client = TestClient(app.url + "/t/dd-ride")
      var statuses: [Int] = []
      for name in ["ann", "bob"] {
        let form =
          #"{"email":"\#(name)@ksu.edu","password":"Wildcat1","profile":{"name":"\#(name)","phoneNumber":"7855550123"}}"#
        statuses.append(try await client.post("/v1/sign-up", form).status)
      }
      #expect(statuses == [201, status])
      #expect(server.lines.filter { $0.contains("limits.relaxed") && $0.contains("100") }.count == lines)
    }
  }

  private func config(_ environment: [String: String]) -> Config {
    let surroundings = Surroundings(environment: environment, userID: 1000)
    var reader = ConfigReader([.variables(surroundings)], surroundings)
    return Config(&reader)
  }

  @Test("T169 the pages of development are there with dev alone")
  func pagesWithDev() {
    #expect(config(["GATEHOUSE_DEV": "true"]).showsDevelopment)
    #expect(!config([:]).showsDevelopment)
  }

  @Test(
    "T169 no listener that other machines reach has them", arguments: ["0.0.0.0:8080", "[::]:8080", "192.0.2.1:80"])
  func pagesOnListener(address: String) {
    let environment = ["GATEHOUSE_DEV": "true", "GATEHOUSE_DEV_ANYWHERE": "true"]
    #expect(!config(environment.merging(["GATEHOUSE_LISTEN": address]) { $1 }).showsDevelopment)
    #expect(config(environment.merging(["GATEHOUSE_LISTEN": "[::1]:8080"]) { $1 }).showsDevelopment)
  }

  @Test("T169 a server that believes proxies does not have them")
  func pagesBehindProxy() {
    let environment = [
      "GATEHOUSE_DEV": "true", "GATEHOUSE_PROXIES_TRUSTED": "10.0.0.0/8",
      "GATEHOUSE_PROXIES_PROTOCOL": "x_forwarded_for",
    ]
    #expect(problems(environment) == [])
    #expect(!config(environment).showsDevelopment)
  }

  @Test(
    "a development server is reached by a name, for browsers bind no passkey to an address",
    arguments: [
      ("127.0.0.1:8080", "http://localhost:8080"), ("127.0.0.1:0", "http://127.0.0.1:0"),
      ("127.8.0.1:80", "http://127.8.0.1:80"), ("[::1]:8080", "http://[::1]:8080"),
    ])
  func name(listen: String, url: String) {
    #expect(config(["GATEHOUSE_DEV": "true", "GATEHOUSE_LISTEN": listen]).reachedAt == url)
    #expect(config(["GATEHOUSE_LISTEN": listen]).reachedAt == "http://\(listen)")
    let named = config(["GATEHOUSE_DEV": "true", "GATEHOUSE_PUBLIC_URL": "http://127.0.0.1:8080"])
    #expect(named.reachedAt == "http://127.0.0.1:8080")
  }

  @Test("T143 a start says so")
  func start() throws {
    let folder = try Binary.directory()
    defer { try? FileManager.default.removeItem(at: folder) }
    let refused = try Binary.run(["serve", "--dev", "--listen", "0.0.0.0:0"], in: folder)
    #expect(refused.exit == 2 && refused.errors.contains("--listen: listen \(Self.advice)"), "\(refused.errors)")
  }
}
