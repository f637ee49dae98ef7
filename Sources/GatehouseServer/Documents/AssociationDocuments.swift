import GatehouseIdentity
import GatehousePolicy
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The documents by which platforms and browsers associate apps and sites with a tenant's passkeys: one row each, at
/// the root of the tenant's own host. The shared host has none, as its passkeys would be those of every tenant.
enum AssociationDocument: String, CaseIterable {
  /// Apps on Apple platforms (Apple, Supporting associated domains).
  case apple = "/.well-known/apple-app-site-association"
  /// Apps on Android (Google, Digital Asset Links).
  case android = "/.well-known/assetlinks.json"
  /// Web pages, also those of other domains (WebAuthn Level 3 section 5.11).
  case origins = "/.well-known/webauthn"
  /// The page of a person's passkeys (W3C, A Well-Known URL for Relying Party Passkey Endpoints).
  case endpoints = "/.well-known/passkey-endpoints"

  /// The answer at the root of the tenant's own host, from its policy of now. The tenant is nil at a host that is not
  /// verified.
  func answer(_ tenant: TenantSnapshot?, at host: String?) throws -> Answer {
    guard let tenant else { throw Refusal(.notFound) }
    // GUARD: association: not of a disabled tenant
    guard tenant.enabled else { throw Refusal(.tenantDisabled) }
    guard
      let passkeys = tenant.policy.passkeys,
      let value = value(passkeys, at: tenant.issuer(at: host), own: tenant.ownOrigins)
    else { throw Refusal(.notFound) }
    var answer = Answer.json(value.bytes)
    answer.headers.set("Cache-Control", RootPaths.cacheControl)
    return answer
  }

  /// The document; nil where the policy has nothing to say in it.
  /// - Parameters:
  ///   - root: The address below which the tenant's pages are.
  ///   - own: The origins of the tenant's verified hosts.
  func value(_ passkeys: Passkeys, at root: String, own: [String]) -> JSONValue? {
    switch self {
    case .apple:
      passkeys.apple.isEmpty
        ? nil : .object(["webcredentials": .object(["apps": .array(passkeys.apple.map(JSONValue.string))])])
    case .android: passkeys.android.isEmpty ? nil : .array(passkeys.android.map(Self.statement))
    case .origins: .object(["origins": .array(Self.distinct(passkeys.origins + own).map(JSONValue.string))])
    case .endpoints: Self.endpoints("\(root)/ui/\(PagePath.factors)")
    }
  }

  /// The statement that an app may get credentials (Digital Asset Links, Statement List Syntax).
  private static func statement(_ app: Passkeys.AndroidApp) -> JSONValue {
    .object([
      "relation": .array([.string("delegate_permission/common.get_login_creds")]),
      "target": .object([
        "namespace": .string("android_app"), "package_name": .string(app.package),
        "sha256_cert_fingerprints": .array(app.fingerprints.map(JSONValue.string)),
      ]),
    ])
  }

  /// One page is for adding a passkey and for managing them.
  private static func endpoints(_ page: String) -> JSONValue {
    .object(["enroll": .string(page), "manage": .string(page)])
  }

  /// The texts in their order, each once.
  private static func distinct(_ texts: [String]) -> [String] {
    var seen: Set<[UInt8]> = []
    return texts.filter { seen.insert(Array($0.utf8)).inserted }
  }
}
