import Foundation
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseIdentity
@testable import GatehouseOutbound

@Suite("Webhooks over HTTPS")
struct WebhookHTTPTests {
  private func transport(_ peer: HTTPSPeer?, isDevelopment: Bool = true) -> (WebhookHTTP, OutboundHTTP, LoopGroup) {
    let loops = LoopGroup(count: 1)
    loops.start()
    let http = OutboundHTTP(
      loop: loops.loops[0],
      OutboundHTTP.Settings(
        addresses: ReachableAddresses(allowsLoopback: isDevelopment), caFile: peer?.certificate))
    return (WebhookHTTP(http), http, loops)
  }

  @Test(
    "a URL that messages can not be sent to is refused with its reason",
    arguments: [
      ("http://example.com/", "only https"), ("https://10.0.0.1/", "the address is not a public one"),
      ("https://localhost.:1/", "the host is neither a domain name in ASCII nor an address in its usual spelling"),
      ("https://example.com:0/", "the port is not a number from 1 to 65535"),
      ("https://u@example.com/", "not an absolute URL of plain ASCII without user name and fragment"),
    ])
  func problem(_ url: String, _ problem: String) async throws {
    let (webhooks, http, loops) = transport(nil, isDevelopment: false)
    #expect(webhooks.problem(with: url) == problem)
    #expect(webhooks.problem(with: "https://example.com/hooks?a=b") == nil)
    await http.close()
    try loops.stop()
  }

  @Test("T123 webhook tests that fail open their own circuit, and deliveries to the same endpoint go on")
  func circuits() async throws {
    let (deliveries, http, loops) = transport(nil)
    let tests = WebhookHTTP(http, as: .webhookTest)
    let message = WebhookMessage(url: "https://localhost:1/hook", endpoint: UUID(), headers: [], body: [])
    for _ in 0..<5 { #expect(Self.isFailure(await tests.deliver(message))) }
    let refused = await tests.deliver(message)
    #expect(!Self.isFailure(refused), "an open circuit postpones: \(refused)")
    #expect(Self.isFailure(await deliveries.deliver(message)))
    await http.close()
    try loops.stop()
  }

  private static func isFailure(_ outcome: WebhookOutcome) -> Bool {
    if case .failed = outcome { true } else { false }
  }
}
