package import Foundation
import GatehousePolicy
import GatehousePrimitives

/// The party that a tenant's passkeys are for (WebAuthn section 4). Configuration, store and policy decide it, never a
/// request.
package struct RelyingParty: Sendable, Equatable {
  /// A domain: `ddride.example`.
  package let id: String
  /// The origins of pages and apps that may use its passkeys, byte for byte as clients send them.
  package let origins: [String]

  /// SHA-256 of the id, as authenticators sign it.
  var idHash: [UInt8] { SHA256.digest(id) }

  /// Whether a host, with or without a port, is the domain or below it.
  static func owns(_ domain: String, _ host: String) -> Bool {
    let name = host.utf8.prefix { $0 != UInt8(ascii: ":") }
    return name.elementsEqual(domain.utf8) || (name.count > domain.utf8.count && name.hasSuffix("." + domain))
  }
}

extension RelyingParty {
  /// The id of the party of a tenant with these verified hosts, the oldest first.
  static func id(under policy: Policy, hosts: [String]) -> String? {
    guard let first = hosts.first else { return nil }
    let id = policy.passkeys?.rpID ?? String(first.prefix { $0 != ":" })
    // GUARD: relying party: a domain of a verified host
    guard hosts.contains(where: { owns(id, $0) }) else { return nil }
    return id
  }
}

extension Substring.UTF8View {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension TenantSnapshot {
  /// The relying party of the tenant: its own host, or the domain above it that the policy names. Nil for a tenant
  /// without a host of its own, whose passkeys would be those of every tenant at the address that they share.
  package var relyingParty: RelyingParty? {
    let own = hosts.filter { $0.verifiedAt != nil }.map(\.host.description)
    guard !own.isEmpty else { return developmentParty }
    guard let id = RelyingParty.id(under: policy, hosts: own) else { return nil }
    // A host beside the domain is a related origin (WebAuthn Level 3 section 5.11).
    return RelyingParty(id: id, origins: own.map(origin) + otherOrigins(of: id))
  }

  /// The relying party before today's, as long as its passkeys prove. Pages and apps are where they are: browsers ask
  /// at its domain for their origins (WebAuthn Level 3 section 5.11).
  package func formerParty(at now: Date) -> RelyingParty? {
    guard let party = relyingParty, let former = policy.passkeys?.former,
      former.proves(at: now),  // GUARD: relying party: the one before until its day
      !former.id.utf8.elementsEqual(party.id.utf8)
    else { return nil }
    return RelyingParty(id: former.id, origins: party.origins + appleOrigins(of: former.id))
  }

  /// The relying parties whose passkeys prove, today's first. Without one of today there are none.
  package func provingParties(at now: Date) -> [RelyingParty] {
    relyingParty.map { [$0] + [formerParty(at: now)].compactMap(\.self) } ?? []
  }

  /// The origins that the policy lists, and those of its apps.
  private func otherOrigins(of id: String) -> [String] {
    guard let passkeys = policy.passkeys else { return [] }
    let android = passkeys.android.flatMap(\.fingerprints).compactMap { text -> String? in
      Hex.decode(text.filter { $0 != ":" }.lowercased()).map { "android:apk-key-hash:" + Base64URL.encode($0) }
    }
    return appleOrigins(of: id) + passkeys.origins + android
  }

  /// Apple's platforms name the domain, whichever app asks.
  private func appleOrigins(of id: String) -> [String] {
    policy.passkeys?.apple.isEmpty == false ? ["https://" + id] : []
  }
}

extension Call {
  /// The relying parties whose passkeys are a way in that remains; none where the policy has no sign-in by passkeys.
  /// Those of the party before today's end at a day.
  var partiesOfWaysIn: [String] {
    guard policy.uses(passkeysFor: .signIn), let party = tenant.relyingParty else { return [] }
    return [party.id]
  }

  /// Whether the page that the caller is at can use the tenant's passkeys: browsers demand a host of the relying party,
  /// and answers are taken from the party's origins alone.
  package var isAtRelyingParty: Bool {
    guard let party = tenant.relyingParty, let origin = WebOrigin(of: issuer) else { return false }
    // GUARD: pages: passkeys at the relying party alone
    return RelyingParty.owns(party.id, origin.authority)
      && party.origins.contains { $0.utf8.elementsEqual(origin.text.utf8) }
  }
}
