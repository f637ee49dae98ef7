import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives

/// The metadata that an OpenID provider publishes (OpenID Connect Discovery 1.0 section 4). Pure.
enum ProviderMetadata {
  /// Where it is said.
  static func address(of issuer: String) -> String {
    (issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
  }

  /// The endpoints in a document; `issuer` MUST be what was asked for (section 4.3), and everything at one of `hosts`:
  /// discovery fills in what the policy leaves out, it does not lead anywhere that the policy does not name.
  static func endpoints(
    _ document: JSONValue, issuer: String, hosts: [String], _ read: (String) -> OutboundURL?
  ) throws(ProviderFailure) -> Provider.Endpoints {
    guard let said = document["issuer"]?.string,
      said.utf8.elementsEqual(issuer.utf8)  // GUARD: provider: discovery of this issuer
    else { throw .garbage("issuer") }
    func address(_ name: String, required: Bool = true) throws(ProviderFailure) -> String? {
      guard let value = document.told(name) else {
        guard !required else { throw .garbage(name) }
        return nil
      }
      guard let text = value.string, let url = read(text), url.isSecure else { throw .garbage(name) }
      // GUARD: provider: discovery leads to named hosts
      guard hosts.contains(where: { $0.utf8.elementsEqual(url.host.utf8) }) else {
        throw .garbage("\(name) is at a host that the policy does not name")
      }
      return text
    }
    return Provider.Endpoints(
      issuer: issuer, authorization: try address("authorization_endpoint"), token: try address("token_endpoint"),
      userinfo: try address("userinfo_endpoint", required: false), jwks: try address("jwks_uri"),
      revocation: try address("revocation_endpoint", required: false))
  }
}
