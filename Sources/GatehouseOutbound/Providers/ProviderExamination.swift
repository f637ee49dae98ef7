import Foundation
package import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

extension ProviderHTTP {
  /// Discovery, keys, clock, scopes, and whether the provider takes this client.
  package func examine(_ registration: ProviderRegistration) async -> [ProviderFinding] {
    var findings: [ProviderFinding] = []
    do throws(ProviderFailure) {
      let description = try description(of: registration)
      if description.isOpenIDConnect { try await examineOpenID(registration, description, &findings) }
      if registration.clientID != nil, registration.provider.flow == .codePKCE {
        findings.append(await examineClient(registration))
      }
    } catch {
      findings.append(ProviderFinding("answer", .wrong, error.description))
    }
    return findings
  }

  private func examineOpenID(
    _ registration: ProviderRegistration, _ description: ProviderDescription, _ findings: inout [ProviderFinding]
  ) async throws(ProviderFailure) {
    let endpoints = try await endpoints(description)
    findings.append(ProviderFinding("endpoints", .fine, "authorization, token and keys are known"))
    _ = try await keys(at: registration, isKeyMissing: false)
    findings.append(ProviderFinding("keys", .fine, "signing keys that can be used"))
    guard let issuer = endpoints.issuer else { return }
    let answer = try await send(
      .get, ProviderMetadata.address(of: issuer), description, owner: "", headers: [("Accept", "application/json")])
    findings.append(clockFinding(answer))
    let supported = (try? JSONParser.parse(answer.body))?["scopes_supported"]?.array?.compactMap(\.string)
    guard answer.isSuccess, let supported else { return }
    // A provider may leave some out on purpose (OpenID Connect Discovery section 3).
    let unheard = registration.provider.scopes.filter { scope in
      !supported.contains { $0.utf8.elementsEqual(scope.utf8) }
    }
    findings.append(
      unheard.isEmpty
        ? ProviderFinding("scopes", .fine, "the provider names all of them")
        : ProviderFinding("scopes", .unknown, "it does not name \(unheard.joined(separator: ", "))"))
  }

  /// Tokens are judged by their times, so two clocks have to agree.
  private func clockFinding(_ answer: OutboundResponse) -> ProviderFinding {
    guard let date = answer.header("date").flatMap(RetryAfter.date) else {
      return ProviderFinding("clock", .unknown, "it does not tell the time")
    }
    let difference = Int(max(-1e9, min(1e9, date.timeIntervalSince(clock.now))).rounded())
    return abs(difference) <= 30
      ? ProviderFinding("clock", .fine, "the clocks agree")
      : ProviderFinding("clock", .wrong, "its clock is \(difference) s from this one's")
  }

  /// Sends a code that was never issued: a provider that knows the client refuses the code, any other refuses the
  /// client.
  private func examineClient(_ registration: ProviderRegistration) async -> ProviderFinding {
    let code = ProviderCode(
      code: Secret("gatehouse-provider-test"), verifier: Secret(Base64URL.encode(SecureRandom.bytes(32))),
      redirectURI: registration.provider.redirectURIs.first ?? "")
    do throws(ProviderFailure) {
      _ = try await exchange(code, at: registration)
      return ProviderFinding("client", .wrong, "it takes any code")
    } catch {
      return switch error {
      case .refused(.invalidGrant): ProviderFinding("client", .fine, "it knows the client and its secret")
      case .refused(.invalidClient), .refused(.unauthorizedClient):
        ProviderFinding("client", .wrong, "it does not know the client, or not with this secret")
      case .refused: ProviderFinding("client", .unknown, error.description)
      default: ProviderFinding("client", .wrong, error.description)
      }
    }
  }
}
