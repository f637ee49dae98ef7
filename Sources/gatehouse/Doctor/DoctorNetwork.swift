import GatehouseOutbound
import GatehousePrimitives
import GatehouseRuntime

/// The network as the doctor asks it: the server beside it, and the addresses that people use.
struct DoctorNetwork: Sendable {
  private let loops: LoopGroup
  private let client: OutboundHTTP
  private static let limit = 1 << 20

  /// `close` MUST be called.
  init(_ config: Config) {
    loops = LoopGroup(count: 1, named: "doctor", for: .background)
    loops.start()
    var outbound = config.outbound
    // It asks addresses of the configuration alone.
    outbound.addresses = .everywhere
    client = OutboundHTTP(loop: loops.loops[0], outbound)
  }

  /// The JSON at a URL, with any status; nil where there is none.
  func json(_ url: String) async -> JSONValue? {
    guard let answer = try? await get(url) else { return nil }
    return try? JSONParser.parse(answer.body)
  }

  /// An answer of any status.
  func get(_ url: String) async throws -> OutboundResponse {
    try await client.send(
      try OutboundRequest(
        .get, try client.url(url), purpose: OutboundPurpose(.host, owner: "doctor"), timeout: .seconds(5),
        bodyLimit: Self.limit))
  }

  /// Whether an address that people use answers, with a certificate that they trust.
  func edge(_ subject: String, _ url: String) async -> Finding {
    do {
      _ = try await get(url)
      return .good(subject, "\(url) answers")
    } catch {
      return .failure(subject, "\(url): \(error)", "look at the proxy, the name and the certificate there")
    }
  }

  func wait(_ time: Duration) async { try? await loops.loops[0].sleep(for: time) }

  func close() async {
    await client.close()
    // A refusal needs no answer: the thread ends with the process, which is ending.
    try? loops.stop()
  }
}
