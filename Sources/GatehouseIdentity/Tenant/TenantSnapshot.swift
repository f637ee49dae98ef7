package import Foundation
package import GatehousePolicy
import GatehousePrimitives

/// A tenant as one server serves it: immutable, and swapped whole, so that a request sees exactly one revision of the
/// policy and one set of keys. A class, because every request hands it on some twenty times, and a policy has many
/// parts to copy.
package final class TenantSnapshot: Sendable {
  package let id: TenantID
  package let name: TenantName
  package let displayName: String
  package let enabled: Bool
  package let policy: Policy
  /// The limits that hold: the policy's, but for development, which relaxes them.
  package let limits: Limits
  /// How often one account looks others up, likewise; nil where the policy has no directory.
  package let lookups: Limit?
  package let revision: Int
  /// When that revision went live.
  package let policySince: Date
  /// SHA-256 of the policy's text.
  package let digest: [UInt8]
  package let keys: SigningKeys
  package let vault: Vault
  /// See `TenantRecord`.
  package let pinnedRevision: Int?
  /// The issuer of its tokens and the root of its links: its own host where it has one, else `{base}/t/{tenant}`. From
  /// configuration and store, never from a request.
  package let issuer: String
  /// The issuer without its own host: what tokens say that were signed before it had one, or will be when it has none.
  package let sharedIssuer: String
  /// Hosts that lead to it, or are to.
  package let hosts: [TenantHost]
  /// The newest of each use.
  package let pictures: [PictureUse: TenantPicture]
  /// The tenant's own app, which its policy describes.
  package let app: Client
  private let scheme: String
  /// The server's own origin, where it is one of development at `localhost`.
  private let localOrigin: String?

  package init(
    id: TenantID, name: TenantName, displayName: String, enabled: Bool, policy: Policy, limits: Limits, lookups: Limit?,
    revision: Int, policySince: Date, digest: [UInt8], keys: SigningKeys, vault: Vault,
    pinnedRevision: Int? = nil, hosts: [TenantHost] = [], pictures: [TenantPicture] = [], publicURL: String
  ) {
    self.id = id
    self.name = name
    self.displayName = displayName
    self.enabled = enabled
    self.policy = policy
    self.limits = limits
    self.lookups = lookups
    self.revision = revision
    self.policySince = policySince
    self.digest = digest
    self.keys = keys
    self.vault = vault
    self.pinnedRevision = pinnedRevision
    self.hosts = hosts
    self.pictures = Dictionary(pictures.map { ($0.use, $0) }) { $1 }
    app = Client(
      id: name.description, name: policy.app.name, session: .app, redirectURIs: policy.app.continueTargets,
      audience: policy.app.audience ?? name.description)
    sharedIssuer = "\(policy.app.baseURL ?? publicURL)/t/\(name)"
    // Clients reach a tenant's own host over HTTPS, except in development, where they reach every host over HTTP.
    scheme = publicURL.utf8.starts(with: "http://".utf8) ? "http" : "https"
    let scheme = scheme
    localOrigin = TenantSnapshot.localOrigin(publicURL)
    issuer = hosts.first { $0.verifiedAt != nil }.map { "\(scheme)://\($0.host)" } ?? sharedIssuer
  }

  /// The client with this `client_id`; nil where the tenant has none.
  package func client(_ id: String) -> Client? { id.utf8.elementsEqual(app.id.utf8) ? app : nil }

  /// The issuer as an app knows it that reaches the tenant at this host: that of this own host of it, or the one on the
  /// address of all tenants. An app whose tenant gets a host later goes on where it was. The host that a request names
  /// only chooses among those of configuration and store.
  package func issuer(at host: String?) -> String {
    let own = hosts.first { $0.verifiedAt != nil && host?.utf8.elementsEqual($0.host.description.utf8) == true }
    return own.map { "\(scheme)://\($0.host)" } ?? sharedIssuer
  }

  /// The origin of this own host of it.
  func origin(_ host: String) -> String { "\(scheme)://\(host)" }

  /// The origins of its own hosts that are verified.
  package var ownOrigins: [String] { hosts.filter { $0.verifiedAt != nil }.map { origin($0.host.description) } }

  /// All issuers by which clients know the tenant: those of its own hosts, and the one on the address of all tenants.
  package var issuers: [String] { ownOrigins + [sharedIssuer] }

  /// The relying party of development, where a tenant needs no host of its own.
  var developmentParty: RelyingParty? {
    localOrigin.map { RelyingParty(id: TenantSnapshot.localParty, origins: [$0] + (policy.passkeys?.origins ?? [])) }
  }

  /// The id of that party.
  static let localParty = "localhost"

  static func localOrigin(_ publicURL: String) -> String? {
    let local = "http://localhost"
    // GUARD: relying party: localhost in development alone
    guard publicURL.utf8.starts(with: local.utf8) else { return nil }
    let rest = publicURL.utf8.dropFirst(local.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    guard rest.first == nil || rest.first == UInt8(ascii: ":") else { return nil }
    return local + String(decoding: rest, as: UTF8.self)
  }
}
