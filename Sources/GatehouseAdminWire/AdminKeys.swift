package import GatehouseWire

// Signing keys and secrets, as operations of the admin API.

/// A signing key, without the key.
package struct SigningKeySummary: Codable, Hashable, Sendable {
  /// Its name in tokens.
  package var kid: String
  /// `next`, `active` or `retired`.
  package var state: String
  /// When it was made.
  package var createdAt: Timestamp
  /// When it came into this state.
  package var changedAt: Timestamp

  package init(kid: String, state: String, createdAt: Timestamp, changedAt: Timestamp) {
    (self.kid, self.state, self.createdAt, self.changedAt) = (kid, state, createdAt, changedAt)
  }
}

/// A tenant's signing keys.
package enum ListKeysOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/keys", .keyRead, "List signing keys")

  package typealias Input = TenantReference
  package typealias Output = SigningKeyList
}

/// Moves every key one state on: the next key signs, the signing one retires, a new next one is published.
package enum RotateKeysOperation: AdminOperation {
  package static let row = AdminOperationRow(.post, "/tenants/{tenant}/keys/rotate", .keyWrite, "Rotate signing keys")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Let the next key sign at once, though verifiers may not have fetched it.
    package var now: Bool?

    package init(tenant: String, now: Bool? = nil) { (self.tenant, self.now) = (tenant, now) }
  }

  package typealias Output = SigningKeyList
}

/// Takes a signing key out at once, because it may have leaked: its tokens are refused from now on.
package enum RetireKeyOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/keys/{kid}/retire", .keyWrite, "Take a signing key out")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The key's name.
    package var kid: String

    package init(tenant: String, kid: String) { (self.tenant, self.kid) = (tenant, kid) }
  }

  package typealias Output = SigningKeyList
}

/// A secret's name, never the secret.
package struct SecretSummary: Codable, Hashable, Sendable {
  /// Its name.
  package var name: String
  /// When it was set.
  package var updatedAt: Timestamp
  /// Providers of the live policy that use it.
  package var opensFor: [String] = []
  /// Providers of the live policy that name it and are at other addresses than those it was set for. It is not sent
  /// there until it is set again.
  package var closedFor: [String] = []

  package init(name: String, updatedAt: Timestamp) { (self.name, self.updatedAt) = (name, updatedAt) }
}

/// The names of a tenant's secrets. No operation ever answers a secret.
package enum ListSecretsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/secrets", .secretRead, "List the names of secrets")

  package typealias Input = TenantReference

  package struct Output: Codable, Hashable, Sendable {
    /// By name.
    package var items: [SecretSummary]

    package init(items: [SecretSummary]) { self.items = items }
  }
}

/// Keeps a named secret, sealed for the addresses of the provider at which the live policy names it; an older one is
/// replaced. One that no provider names yet waits for the policy that does.
package enum SetSecretOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .put, "/tenants/{tenant}/secrets/{name}", .secretWrite, "Set a secret", status: 204)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// As policies name it: lower-case letters, digits and underscores.
    package var name: String
    /// The secret, as text.
    package var value: String?
    /// The secret, where it is no text: base64url without padding (RFC 4648 section 5).
    package var base64url: String?

    package init(tenant: String, name: String, value: String? = nil, base64url: String? = nil) {
      (self.tenant, self.name, self.value, self.base64url) = (tenant, name, value, base64url)
    }
  }

  package typealias Output = Nothing
}

/// Forgets a named secret.
package enum RemoveSecretOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/secrets/{name}", .secretWrite, "Remove a secret", status: 204)

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// As policies name it: lower-case letters, digits and underscores.
    package var name: String

    package init(tenant: String, name: String) { (self.tenant, self.name) = (tenant, name) }
  }

  package typealias Output = Nothing
}

/// The public keys, as the tenant's key set address answers them.
package enum ShowKeySetOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/keys/jwks", .keyRead, "Read the public key set")

  package typealias Input = TenantReference

  package struct Output: Codable, Hashable, Sendable {
    /// The JSON text of the set (RFC 7517).
    package var jwks: String

    package init(jwks: String) { self.jwks = jwks }
  }
}

/// Wraps data keys that the other key-encryption key opens anew, under the one that seals. All tenants.
package enum RewrapKeysOperation: AdminOperation {
  package static let row = AdminOperationRow(.post, "/keys/rewrap", .keyWrite, "Wrap data keys anew")

  package struct Input: Codable, Hashable, Sendable {
    /// Only look; change nothing.
    package var dryRun: Bool?

    package init(dryRun: Bool? = nil) { self.dryRun = dryRun }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// Wrapped anew.
    package var rewrapped: Int
    /// Wrapped by the key that seals before.
    package var before: Int
    /// To be wrapped anew; only in a dry run.
    package var remaining: Int
    /// Tenants whose data key opens with neither.
    package var unknown: [String]

    package init(rewrapped: Int, before: Int, remaining: Int, unknown: [String]) {
      (self.rewrapped, self.before, self.remaining, self.unknown) = (rewrapped, before, remaining, unknown)
    }
  }
}
