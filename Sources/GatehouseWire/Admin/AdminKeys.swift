// Signing keys and secrets, as operations of the admin API.

/// A signing key, without the key.
public struct SigningKeySummary: Codable, Hashable, Sendable {
  /// Its name in tokens.
  public var kid: String
  /// `next`, `active` or `retired`.
  public var state: String
  /// When it was made.
  public var createdAt: Timestamp
  /// When it came into this state.
  public var changedAt: Timestamp

  /// The whole of it.
  public init(kid: String, state: String, createdAt: Timestamp, changedAt: Timestamp) {
    self.kid = kid
    self.state = state
    self.createdAt = createdAt
    self.changedAt = changedAt
  }

  enum CodingKeys: String, CodingKey {
    case kid, state
    case createdAt = "created_at"
    case changedAt = "changed_at"
  }
}

/// A tenant's signing keys.
public enum ListKeysOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/keys"
  /// What a token must allow.
  public static let scope = AdminScope.keyRead
  /// What it does.
  public static let summary = "List signing keys"

  /// What it takes.
  public typealias Input = TenantReference

  /// What it answers.
  public typealias Output = SigningKeyList
}

/// Moves every key one state on: the next key signs, the signing one retires, a new next one is published.
public enum RotateKeysOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/keys/rotate"
  /// What a token must allow.
  public static let scope = AdminScope.keyWrite
  /// What it does.
  public static let summary = "Rotate signing keys"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// Let the next key sign at once, though verifiers may not have fetched it.
    public var now: Bool?

    /// The whole of it.
    public init(tenant: String, now: Bool? = nil) {
      self.tenant = tenant
      self.now = now
    }
  }

  /// What it answers.
  public typealias Output = SigningKeyList
}

/// Takes a signing key out at once, because it may have leaked: its tokens are refused from now on.
public enum RetireKeyOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/keys/{kid}/retire"
  /// What a token must allow.
  public static let scope = AdminScope.keyWrite
  /// What it does.
  public static let summary = "Take a signing key out"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The key's name.
    public var kid: String

    /// The whole of it.
    public init(tenant: String, kid: String) {
      self.tenant = tenant
      self.kid = kid
    }
  }

  /// What it answers.
  public typealias Output = SigningKeyList
}

/// A secret's name, never the secret.
public struct SecretSummary: Codable, Hashable, Sendable {
  /// Its name.
  public var name: String
  /// When it was set.
  public var updatedAt: Timestamp

  /// The whole of it.
  public init(name: String, updatedAt: Timestamp) {
    self.name = name
    self.updatedAt = updatedAt
  }

  enum CodingKeys: String, CodingKey {
    case name
    case updatedAt = "updated_at"
  }
}

/// The names of a tenant's secrets. No operation ever answers a secret.
public enum ListSecretsOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/secrets"
  /// What a token must allow.
  public static let scope = AdminScope.secretRead
  /// What it does.
  public static let summary = "List the names of secrets"

  /// What it takes.
  public typealias Input = TenantReference

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// By name.
    public var items: [SecretSummary]

    /// The whole of it.
    public init(items: [SecretSummary]) {
      self.items = items
    }
  }
}

/// Keeps a named secret, sealed; an older one is replaced.
public enum SetSecretOperation: AdminOperation {
  /// PUT.
  public static let method = Method.put
  /// Where it lives.
  public static let path = "/tenants/{tenant}/secrets/{name}"
  /// What a token must allow.
  public static let scope = AdminScope.secretWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Set a secret"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// As policies name it: lower-case letters, digits and underscores.
    public var name: String
    /// The secret, as text.
    public var value: String?
    /// The secret, where it is no text: base64url without padding (RFC 4648 section 5).
    public var base64url: String?

    /// The whole of it.
    public init(tenant: String, name: String, value: String? = nil, base64url: String? = nil) {
      self.tenant = tenant
      self.name = name
      self.value = value
      self.base64url = base64url
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}

/// Forgets a named secret.
public enum RemoveSecretOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tenants/{tenant}/secrets/{name}"
  /// What a token must allow.
  public static let scope = AdminScope.secretWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Remove a secret"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// As policies name it: lower-case letters, digits and underscores.
    public var name: String

    /// The whole of it.
    public init(tenant: String, name: String) {
      self.tenant = tenant
      self.name = name
    }
  }

  /// What it answers.
  public typealias Output = Nothing
}

/// The public keys, as the tenant's key set address answers them.
public enum ShowKeySetOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/keys/jwks"
  /// What a token must allow.
  public static let scope = AdminScope.keyRead
  /// What it does.
  public static let summary = "Read the public key set"

  /// What it takes.
  public typealias Input = TenantReference

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The JSON text of the set (RFC 7517).
    public var jwks: String

    /// The whole of it.
    public init(jwks: String) {
      self.jwks = jwks
    }
  }
}

/// Wraps data keys that the other key-encryption key opens anew, under the one that seals. All tenants.
public enum RewrapKeysOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/keys/rewrap"
  /// What a token must allow.
  public static let scope = AdminScope.keyWrite
  /// What it does.
  public static let summary = "Wrap data keys anew"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// Only look; change nothing.
    public var dryRun: Bool?

    /// The whole of it.
    public init(dryRun: Bool? = nil) {
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Wrapped anew.
    public var rewrapped: Int
    /// Wrapped by the key that seals before.
    public var before: Int
    /// To be wrapped anew; only in a dry run.
    public var remaining: Int
    /// Tenants whose data key opens with neither.
    public var unknown: [String]

    /// The whole of it.
    public init(rewrapped: Int, before: Int, remaining: Int, unknown: [String]) {
      self.rewrapped = rewrapped
      self.before = before
      self.remaining = remaining
      self.unknown = unknown
    }
  }
}
