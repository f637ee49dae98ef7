import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// Webhooks over the outbound client: nothing goes to an address that is not public.
package struct WebhookHTTP: WebhookTransport {
  private let http: OutboundHTTP
  private let kind: OutboundPurpose.Kind

  /// `kind` is `webhookTest` for messages that an operator sends by hand: a test that fails opens no circuit of the
  /// deliveries, and a circuit that they opened refuses no test.
  package init(_ http: OutboundHTTP, as kind: OutboundPurpose.Kind = .webhook) {
    self.http = http
    self.kind = kind
  }

  package func problem(with url: String) -> String? {
    do throws(OutboundURL.Problem) {
      // GUARD: webhook: no private address
      _ = try http.url(url)
      return nil
    } catch {
      return switch error {
      case .syntax: "not an absolute URL of plain ASCII without user name and fragment"
      case .scheme: "only https"
      case .host: "the host is neither a domain name in ASCII nor an address in its usual spelling"
      case .port: "the port is not a number from 1 to 65535"
      case .address: "the address is not a public one"
      }
    }
  }

  package func deliver(_ message: WebhookMessage) async -> WebhookOutcome {
    do {
      let request = try OutboundRequest(
        .post, http.url(message.url),
        purpose: OutboundPurpose(
          kind,  // GUARD: webhooks: tests have a circuit of their own
          owner: message.endpoint.text),
        headers: message.headers.map { ($0.name, $0.value) }, body: message.body, bodyLimit: 16_384)
      let response = try await http.send(request)
      if response.isSuccess { return .delivered }
      if response.status == 410 { return .gone }
      return .failed(reason: "answered \(response.status)", retryAfter: response.retryAfter)
    } catch let error as OutboundError {
      return switch error {
      case .busy, .cancelled: .postponed(seconds: 1)
      case .circuitOpen(let wait): .postponed(seconds: Int(wait.components.seconds) + 1)
      default: .failed(reason: error.description, retryAfter: nil)
      }
    } catch {
      return .failed(reason: "the URL is of no use any more", retryAfter: nil)
    }
  }
}
