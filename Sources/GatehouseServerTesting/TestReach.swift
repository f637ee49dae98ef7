import Foundation
import FoundationNetworking
import GatehouseIdentity
import GatehouseOutbound

/// The world outside as a test server's operators reach it: true messages and mails; names of hosts lead to the server itself, as a
/// proxy would lead them.
struct TestReach: OperatorReach {
  let webhooks: any WebhookTransport
  let renderer: any MailRenderer
  let transport: any MailTransport
  /// Host and port of the public listener.
  let address: String
  let records: any TextRecords

  init(
    webhooks: any WebhookTransport, renderer: any MailRenderer, transport: any MailTransport,
    at address: some CustomStringConvertible, records: any TextRecords
  ) {
    self.webhooks = webhooks
    self.renderer = renderer
    self.transport = transport
    self.address = "\(address)"
    self.records = records
  }

  var hosts: any HostProbe { Probe(address: address) }

  func sampleMail(_ kind: MailKind, language: String, _ call: Call) throws -> RenderedMail {
    try renderer.render(
      MailOrder.sample(kind, language: language, brand: MailBrand(call.policy), issuer: call.tenant.issuer),
      tenant: call.tenant.name.description)
  }

  func deliver(_ message: MailMessage) async throws -> MailOutcome { await transport.deliver(message) }

  func probeMail() async throws -> MailOutcome { .delivered(detail: "files") }

  private struct Probe: HostProbe {
    let address: String

    func answer(of host: HostName) async throws -> [UInt8] {
      guard let url = URL(string: "http://\(address)\(TenantHost.proofPath)") else { throw URLError(.badURL) }
      var request = URLRequest(url: url)
      request.setValue(host.description, forHTTPHeaderField: "Host")
      let (data, response) = try await URLSession.shared.data(for: request)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
      return [UInt8](data)
    }
  }
}
