package import GatehouseWire

// Tenants' logos and other pictures, as operations of the admin API.

/// A picture of a tenant, without its content.
package struct LogoSummary: Codable, Hashable, Sendable {
  /// `logo`, `logo_dark`, `ground`, or `provider:` and the name of a provider. Absent from older servers.
  package var use: String?
  /// `image/svg+xml` or `image/png`.
  package var mediaType: String
  /// Bytes.
  package var size: Int
  /// SHA-256 of the content, in hexadecimal.
  package var sha256: String
  /// Where browsers fetch it: another content has another address.
  package var url: String
  /// When it was set.
  package var setAt: Timestamp

  package init(use: String?, mediaType: String, size: Int, sha256: String, url: String, setAt: Timestamp) {
    self.use = use
    self.mediaType = mediaType
    self.size = size
    self.sha256 = sha256
    self.url = url
    self.setAt = setAt
  }
}

/// A reference to a picture of a tenant.
package struct LogoReference: Codable, Hashable, Sendable {
  /// The tenant's name.
  package var tenant: String
  /// `logo` (the default), `logo_dark`, `ground`, or `provider:` and the name of a provider.
  package var use: String?

  package init(tenant: String, use: String? = nil) { (self.tenant, self.use) = (tenant, use) }
}

/// Sets a picture that the tenant's pages show: an SVG or a PNG of at most 32 KB. An older one of the same use is
/// replaced.
package enum SetLogoOperation: AdminOperation {
  package static let row = AdminOperationRow(.put, "/tenants/{tenant}/logo", .tenantWrite, "Set a tenant's logo")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// `logo` (the default), `logo_dark`, `ground`, or `provider:` and the name of a provider.
    package var use: String?
    /// The content: base64url without padding (RFC 4648 section 5).
    package var base64url: String
    /// The name of the file in messages.
    package var file: String?
    /// Do everything but the change itself.
    package var dryRun: Bool?

    package init(tenant: String, use: String? = nil, base64url: String, file: String? = nil, dryRun: Bool? = nil) {
      self.tenant = tenant
      self.use = use
      self.base64url = base64url
      self.file = file
      self.dryRun = dryRun
    }
  }

  package typealias Output = LogoSummary
}

/// A picture of the tenant: use, kind, size, hash and address.
package enum ShowLogoOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/logo", .tenantRead, "Show a tenant's logo")

  package typealias Input = LogoReference
  package typealias Output = LogoSummary
}

/// Removes a picture. Without a logo the pages show the first letter of the app's name instead.
package enum RemoveLogoOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/logo", .tenantWrite, "Remove a tenant's logo", status: 204)

  package typealias Input = LogoReference
  package typealias Output = Nothing
}
