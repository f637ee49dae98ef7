import Foundation
import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseOutbound

@Suite("Where a provider's secret and grants may go")
struct DestinationTests {
  private static let tenant = TenantID(UUID(uuid: (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
  private static let item = Vault.ProviderItem.secret(name: "client")

  private static let endpoints = Provider.Endpoints(
    issuer: "https://id.example", authorization: "https://id.example/authorize", token: "https://token.example/token",
    userinfo: "https://info.example/me", jwks: "https://keys.example/keys", revocation: "https://end.example/revoke")

  private static func provider(_ endpoints: Provider.Endpoints? = endpoints, name: String = "own") -> Provider {
    Provider(name: name, use: .signIn, clientID: "a", clientSecret: "client", endpoints: endpoints)
  }

  private static func destination(_ provider: Provider) throws -> Destination {
    Destination(try IdentityProviders.describe(provider))
  }

  private static func vault() throws -> Vault {
    let clock = TestClock()
    return Vault(
      tenant: tenant, keys: [Vault.Key(try .random(version: 1), createdAt: clock.now)], clock: Clock { clock.now })
  }

  @Test(
    "T178 another issuer, or another origin of an address that gets a secret or says who a user is, is another destination",
    arguments: ["issuer", "token", "userinfo", "jwks", "revocation"])
  func parts(_ part: String) throws {
    let here = try Self.destination(Self.provider())
    for there in ["https://evil.example/token", "http://token.example/token", "https://token.example:8443/token", ""] {
      var moved = Self.endpoints
      let address = there.isEmpty ? nil : there
      switch part {
      case "issuer": moved.issuer = there.isEmpty ? "https://id.example/other" : there
      case "token": moved.token = address
      case "userinfo": moved.userinfo = address
      case "jwks": moved.jwks = address
      default: moved.revocation = address
      }
      #expect(try Self.destination(Self.provider(moved)).digest != here.digest, "\(part): \(there)")
    }
  }

  @Test("T178 paths, spellings of an origin, and everything else in a provider's section are no other destination")
  func irrelevant() throws {
    let here = try Self.destination(Self.provider())
    var same = Self.endpoints
    same.authorization = "https://elsewhere.example/authorize"
    same.token = "HTTPS://Token.Example:443/v2/token?x=1"
    same.userinfo = "https://info.example"
    var provider = Self.provider(same)
    provider.scopes = ["a", "b"]
    provider.clientID = "another"
    provider.promptFor = ["username"]
    provider.redirectURIs = ["app://other"]
    provider.tokenStore = .encrypted
    #expect(try Self.destination(provider) == here)
  }

  @Test(
    "T178 no address outside the origin that it shows passes for it",
    arguments: [
      "https://token.example@evil.example/", "https://token.example.evil.example/",
      "https://token.example\\@evil.example/",
      "https://token.example%2F.evil.example/", "//token.example/", "token.example",
    ])
  func spellings(_ address: String) throws {
    var moved = Self.endpoints
    moved.token = address
    #expect(try Self.destination(Self.provider(moved)) != Self.destination(Self.provider()))
  }

  @Test("T178 each built-in provider is a destination of its own, and another one as soon as a policy says where it is")
  func builtIn() throws {
    let known = try IdentityProviders.all.map { try Self.destination(Self.provider(nil, name: $0.name)) }
    #expect(Set(known).count == IdentityProviders.all.count)
    for name in IdentityProviders.all.map(\.name) {
      let moved = try Self.destination(Self.provider(name: name))
      #expect(!known.contains { $0.digest == moved.digest }, "\(name)")
    }
  }

  @Test("T178 what is sealed for one destination opens there alone; the mark in front of it opens nothing")
  func sealed() throws {
    let vault = try Self.vault()
    let here = try Self.destination(Self.provider())
    var other = Self.endpoints
    other.token = "https://evil.example/token"
    let there = try Self.destination(Self.provider(other))
    let sealed = try vault.seal([7], for: .bound(Self.item, to: here))
    #expect(try vault.open(sealed, for: .bound(Self.item, to: here)).expose { $0 } == [7])
    #expect(throws: CryptoError.notAuthentic) { try vault.open(sealed, for: .bound(Self.item, to: there)) }
    #expect(throws: CryptoError.notAuthentic) { try vault.open(sealed, for: .unbound(Self.item)) }
    let value = sealed.dropFirst(Vault.mark(here).count)
    let marked = Vault.mark(there) + value
    #expect(throws: CryptoError.notAuthentic) { try vault.open(marked, for: .bound(Self.item, to: there)) }
    #expect(throws: CryptoError.notAuthentic) { try vault.open(Array(value), for: .unbound(Self.item)) }
    let unbound = try vault.seal([7], for: .unbound(Self.item))
    #expect(throws: CryptoError.notAuthentic) { try vault.open(unbound, for: .bound(Self.item, to: here)) }
    #expect(throws: CryptoError.notAuthentic) {
      try vault.open(Vault.mark(here) + unbound, for: .bound(Self.item, to: here))
    }
  }

  @Test(
    "T178 where a release moves a built-in provider, what was sealed before opens as well; not where a policy moved it")
  func former() throws {
    let vault = try Self.vault()
    var moved = ProviderDescription.spotify
    moved.endpoints.token = "https://new.spotify.example/token"
    let plain = Self.provider(nil, name: "spotify")
    let before = Destination(ProviderDescription.spotify)
    let sealed = try vault.seal([7], for: .bound(Self.item, to: before))
    let silent = Destination(try IdentityProviders.describe(plain, among: [moved]))
    #expect(throws: CryptoError.notAuthentic) { try vault.open(sealed, for: .bound(Self.item, to: silent)) }
    moved.formerly = [ProviderDescription.spotify.endpoints]
    let after = Destination(try IdentityProviders.describe(plain, among: [moved]))
    #expect(try vault.open(sealed, for: .bound(Self.item, to: after)).expose { $0 } == [7])
    // The policy names no issuer, so that the built-in one's stays: the addresses alone tell the two apart.
    var own = Self.endpoints
    own.issuer = nil
    let pointed = Destination(
      try IdentityProviders.describe(Self.provider(own, name: "spotify"), among: [moved]))
    #expect(throws: CryptoError.notAuthentic) { try vault.open(sealed, for: .bound(Self.item, to: pointed)) }
  }

  @Test("T178 what is bound opens after a change of the data key")
  func rotation() throws {
    let clock = TestClock()
    let keys = [Vault.Key(try .random(version: 1), createdAt: clock.now.addingTimeInterval(-9000))]
    let before = Vault(tenant: Self.tenant, keys: keys, clock: Clock { clock.now })
    let context = Vault.SealingContext.bound(Self.item, to: try Self.destination(Self.provider()))
    let sealed = try before.seal([7], for: context)
    let newer = Vault.Key(try .random(version: 2), createdAt: clock.now.addingTimeInterval(-8000))
    let after = Vault(tenant: Self.tenant, keys: keys + [newer], clock: Clock { clock.now })
    #expect(try after.open(sealed, for: context).expose { $0 } == [7])
    let again = try after.seal([8], for: context)
    #expect(throws: CryptoError.notAuthentic) { try before.open(again, for: context) }
    #expect(try after.open(again, for: context).expose { $0 } == [8])
  }
}
