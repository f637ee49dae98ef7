// Webhooks, as operations of the admin API.

/// A server that is told what happens in an app; never its secret.
public struct WebhookSummary: Codable, Hashable, Sendable {
  /// A UUID that never changes.
  public var id: String
  /// Where messages go.
  public var url: String
  /// What it is told of, as `user.created`.
  public var events: [String]
  /// What it is told of the person beside the id.
  public var fields: [String]
  /// `on`, `failing`, or `off: ` and why.
  public var state: String
  /// Messages that wait.
  public var waiting: Int
  /// When it was made.
  public var createdAt: Timestamp
  /// When it last took a message.
  public var lastSuccessAt: Timestamp?
  /// Since when it takes none.
  public var failingSince: Timestamp?
  /// Why not.
  public var lastError: String?

  /// The whole of it.
  public init(
    id: String, url: String, events: [String], fields: [String], state: String, waiting: Int, createdAt: Timestamp,
    lastSuccessAt: Timestamp? = nil, failingSince: Timestamp? = nil, lastError: String? = nil
  ) {
    self.id = id
    self.url = url
    self.events = events
    self.fields = fields
    self.state = state
    self.waiting = waiting
    self.createdAt = createdAt
    self.lastSuccessAt = lastSuccessAt
    self.failingSince = failingSince
    self.lastError = lastError
  }

  enum CodingKeys: String, CodingKey {
    case id, url, events, fields, state, waiting
    case createdAt = "created_at"
    case lastSuccessAt = "last_success_at"
    case failingSince = "failing_since"
    case lastError = "last_error"
  }
}

/// A tenant's webhooks.
public enum ListWebhooksOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/webhooks"
  /// What a token must allow.
  public static let scope = AdminScope.webhookRead
  /// What it does.
  public static let summary = "List webhooks"

  /// What it takes.
  public typealias Input = TenantReference

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// Oldest first.
    public var items: [WebhookSummary]

    /// The whole of it.
    public init(items: [WebhookSummary]) {
      self.items = items
    }
  }
}

/// A new webhook. Its secret is answered here and never again.
public enum CreateWebhookOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/webhooks"
  /// What a token must allow.
  public static let scope = AdminScope.webhookWrite
  /// The status of a success.
  public static let status = 201
  /// What it does.
  public static let summary = "Make a webhook"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// An https URL on the public Internet.
    public var url: String
    /// What to tell; everything without.
    public var events: [String]?
    /// What to tell of the person: `email`, profile fields; nothing without.
    public var fields: [String]?
    /// Only look; change nothing.
    public var dryRun: Bool?

    /// The whole of it.
    public init(tenant: String, url: String, events: [String]? = nil, fields: [String]? = nil, dryRun: Bool? = nil) {
      self.tenant = tenant
      self.url = url
      self.events = events
      self.fields = fields
      self.dryRun = dryRun
    }

    enum CodingKeys: String, CodingKey {
      case tenant, url, events, fields
      case dryRun = "dry_run"
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// What verifies its messages (Standard Webhooks); absent for a dry run.
    public var secret: String?
    /// What was made; absent for a dry run.
    public var item: WebhookSummary?

    /// The whole of it.
    public init(secret: String? = nil, item: WebhookSummary? = nil) {
      self.secret = secret
      self.item = item
    }
  }
}

/// One webhook.
public enum ShowWebhookOperation: AdminOperation {
  /// GET.
  public static let method = Method.get
  /// Where it lives.
  public static let path = "/tenants/{tenant}/webhooks/{webhook}"
  /// What a token must allow.
  public static let scope = AdminScope.webhookRead
  /// What it does.
  public static let summary = "Show a webhook"

  /// What it takes.
  public typealias Input = WebhookReference

  /// What it answers.
  public typealias Output = WebhookSummary
}

/// Tells a webhook nothing more; what waits for it goes.
public enum DeleteWebhookOperation: AdminOperation {
  /// DELETE.
  public static let method = Method.delete
  /// Where it lives.
  public static let path = "/tenants/{tenant}/webhooks/{webhook}"
  /// What a token must allow.
  public static let scope = AdminScope.webhookWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Delete a webhook"

  /// What it takes.
  public typealias Input = WebhookReference

  /// What it answers.
  public typealias Output = Nothing
}

/// A new secret; the one before signs beside it for a day.
public enum RotateWebhookSecretOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/webhooks/{webhook}/rotate-secret"
  /// What a token must allow.
  public static let scope = AdminScope.webhookWrite
  /// What it does.
  public static let summary = "Give a webhook a new secret"

  /// What it takes.
  public typealias Input = WebhookReference

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// What verifies its messages from now on.
    public var secret: String
    /// Whose it is.
    public var item: WebhookSummary

    /// The whole of it.
    public init(secret: String, item: WebhookSummary) {
      self.secret = secret
      self.item = item
    }
  }
}

/// Switches a webhook on again; what happened meanwhile is not told.
public enum EnableWebhookOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/webhooks/{webhook}/enable"
  /// What a token must allow.
  public static let scope = AdminScope.webhookWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Switch a webhook on again"

  /// What it takes.
  public typealias Input = WebhookReference

  /// What it answers.
  public typealias Output = Nothing
}

/// Sends one message of type `webhook.test`, now. Refused where it is not taken.
public enum TestWebhookOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/webhooks/{webhook}/test"
  /// What a token must allow.
  public static let scope = AdminScope.webhookWrite
  /// The status of a success.
  public static let status = 204
  /// What it does.
  public static let summary = "Send a test message to a webhook"

  /// What it takes.
  public typealias Input = WebhookReference

  /// What it answers.
  public typealias Output = Nothing
}
