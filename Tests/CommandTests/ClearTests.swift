import Testing

@testable import gatehouse

@Suite("Listeners that other machines reach in clear")
struct ClearTests {
  private static let proxies = [
    "GATEHOUSE_PROXIES_TRUSTED": "10.0.0.0/8", "GATEHOUSE_PROXIES_PROTOCOL": "x_forwarded_for",
  ]
  private static let certificate = ["GATEHOUSE_TLS_CERTIFICATE": "/c.pem", "GATEHOUSE_TLS_KEY": "/k.pem"]
  private static let anywhere = ["GATEHOUSE_DEV": "true", "GATEHOUSE_DEV_ANYWHERE": "true"]

  private func read(_ environment: [String: String]) -> (config: Config, problems: [String]) {
    let surroundings = Surroundings(environment: environment, userID: 1000)
    var reader = ConfigReader([.variables(surroundings)], surroundings)
    let config = Config(&reader)
    return (config, reader.problems)
  }

  @Test(
    "T191 without a certificate and without trusted proxies the start is refused",
    arguments: [("LISTEN", "listen", "passwords"), ("ADMIN_LISTEN", "admin_listen", "tokens")],
    ["0.0.0.0:8443", "[::]:8443", "192.0.2.1:8443"])
  func refused(_ listener: (variable: String, key: String, secrets: String), _ address: String) {
    let variable = "GATEHOUSE_" + listener.variable
    let advice =
      "would take \(listener.secrets) in clear from other machines: needs tls.certificate, or proxies.trusted that encrypt"
    #expect(read([variable: address]).problems == ["\(variable): \(listener.key) \(advice)"])
  }

  @Test(
    "T191 with either, in development and on this machine it starts",
    arguments: [
      (["GATEHOUSE_LISTEN": "0.0.0.0:8443"].merging(proxies) { $1 }),
      ["GATEHOUSE_LISTEN": "0.0.0.0:8443"].merging(certificate) { $1 },
      ["GATEHOUSE_LISTEN": "0.0.0.0:8443"].merging(anywhere) { $1 },
      ["GATEHOUSE_LISTEN": "127.0.0.1:8443", "GATEHOUSE_ADMIN_LISTEN": "[::1]:9091"],
      ["GATEHOUSE_OPS_LISTEN": "0.0.0.0:9090"],
    ])
  func starts(_ environment: [String: String]) {
    #expect(read(environment).problems == [])
  }

  @Test(
    "T191 a listener in clear that others reach serves trusted peers alone, any other serves all peers",
    arguments: [
      (proxies, "0.0.0.0:8443", true), (proxies, "[2001:db8::1]:8443", true), (proxies, "127.0.0.1:8443", false),
      (certificate, "0.0.0.0:8443", false), (anywhere, "0.0.0.0:8443", false),
      (proxies.merging(certificate) { $1 }, "0.0.0.0:8443", false),
      (proxies.merging(anywhere) { $1 }, "0.0.0.0:8443", false),
    ])
  func onlyTrusted(_ environment: [String: String], _ address: String, _ isOnly: Bool) {
    let config = read(environment.merging(["GATEHOUSE_LISTEN": address]) { $1 }).config
    #expect(config.servesOnlyTrusted(at: config.listen) == isOnly)
  }
}
