// Signing keys and secrets, as operators ask for them.

import GatehousePrimitives
package import GatehouseWire

package enum KeyOperations {
  package static func list(_ input: ListKeysOperation.Input, _ call: OperatorCall) async throws
    -> ListKeysOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let keys = try await call.services.store.open(tenant.id).signingKeys()
    return ListKeysOperation.Output(items: keys.map(SigningKeySummary.init))
  }

  package static func rotate(_ input: RotateKeysOperation.Input, _ call: OperatorCall) async throws
    -> RotateKeysOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let keys = try await Keys.rotate(
      seen.tenant, immediately: input.now ?? false, author: try call.author(), call.services)
    return RotateKeysOperation.Output(items: keys.map(SigningKeySummary.init))
  }
}

extension KeyOperations {
  package static func retire(_ input: RetireKeyOperation.Input, _ call: OperatorCall) async throws
    -> RetireKeyOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let keys = try await Keys.retire(input.kid, seen.tenant, author: try call.author(), call.services)
    return RetireKeyOperation.Output(items: keys.map(SigningKeySummary.init))
  }

  package static func keySet(_ input: ShowKeySetOperation.Input, _ call: OperatorCall) async throws
    -> ShowKeySetOperation.Output
  {
    let seen = try await call.call(try await call.tenant(input.tenant))
    let set = try JSONEncoding.encode(["keys": seen.tenant.keys.jwks])
    return ShowKeySetOperation.Output(jwks: String(decoding: set, as: UTF8.self))
  }

  package static func rewrap(_ input: RewrapKeysOperation.Input, _ call: OperatorCall) async throws
    -> RewrapKeysOperation.Output
  {
    guard call.who.reachesAll else {
      throw OperatorError(
        .forbidden, "the token \"\(call.who.name)\" is not for all tenants, whose keys these are",
        hint: "gatehouse admin create --all-tenants")
    }
    let count = try await Rewrapping.run(
      isDryRun: input.dryRun ?? false, author: try call.author(), call.services)
    return RewrapKeysOperation.Output(
      rewrapped: count.rewrapped, before: count.before, remaining: count.remaining, unknown: count.unknown)
  }
}

package enum SecretOperations {
  package static func list(_ input: ListSecretsOperation.Input, _ call: OperatorCall) async throws
    -> ListSecretsOperation.Output
  {
    let tenant = try await call.tenant(input.tenant)
    let secrets = try await call.services.store.open(tenant.id).secrets()
    return ListSecretsOperation.Output(
      items: secrets.map { SecretSummary(name: $0.name, updatedAt: Timestamp($0.updatedAt)) })
  }

  package static func set(_ input: SetSecretOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let bytes: [UInt8]
    switch (input.value, input.base64url) {
    case (let text?, nil): bytes = Array(text.utf8)
    case (nil, let text?):
      guard let decoded = Base64URL.decode(text) else { throw Refusal.malformed("/base64url", "is none") }
      bytes = decoded
    default: throw Refusal.malformed("", "one of value and base64url is needed")
    }
    guard (1...65_536).contains(bytes.count) else { throw Refusal.malformed("/value", "must be 1 to 65536 bytes") }
    let seen = try await call.call(try await call.tenant(input.tenant))
    try await Secrets.set(input.name, Secret(bytes), seen.tenant, author: try call.author(), call.services)
    return Nothing()
  }

  package static func remove(_ input: RemoveSecretOperation.Input, _ call: OperatorCall) async throws -> Nothing {
    let seen = try await call.call(try await call.tenant(input.tenant))
    guard try await Secrets.remove(input.name, seen.tenant, author: try call.author(), call.services) else {
      throw OperatorError(
        .notFound, "\(seen.tenant.name) has no secret \"\(input.name)\"",
        hint: "gatehouse secret list \(seen.tenant.name)")
    }
    return Nothing()
  }
}

extension SigningKeySummary {
  fileprivate init(_ key: StoredSigningKey) {
    self.init(
      kid: key.kid, state: key.state.rawValue, createdAt: Timestamp(key.createdAt), changedAt: Timestamp(key.changedAt))
  }
}
