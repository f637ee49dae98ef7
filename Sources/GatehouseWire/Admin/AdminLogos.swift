// Tenants' logos, as operations of the admin API.

/// A tenant's logo, without its content.
package struct LogoSummary: Codable, Hashable, Sendable {
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

  package init(mediaType: String, size: Int, sha256: String, url: String, setAt: Timestamp) {
    self.mediaType = mediaType
    self.size = size
    self.sha256 = sha256
    self.url = url
    self.setAt = setAt
  }
}

/// Sets the logo that the tenant's pages show: an SVG or a PNG of at most 32 KB. An older one is replaced.
package enum SetLogoOperation: AdminOperation {
  package static let row = AdminOperationRow(.put, "/tenants/{tenant}/logo", .tenantWrite, "Set a tenant's logo")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The content: base64url without padding (RFC 4648 section 5).
    package var base64url: String
    /// The name of the file in messages.
    package var file: String?
    /// Do everything but the change itself.
    package var dryRun: Bool?

    package init(tenant: String, base64url: String, file: String? = nil, dryRun: Bool? = nil) {
      self.tenant = tenant
      self.base64url = base64url
      self.file = file
      self.dryRun = dryRun
    }
  }

  package typealias Output = LogoSummary
}

/// The tenant's logo: kind, size, hash and address.
package enum ShowLogoOperation: AdminOperation {
  package static let row = AdminOperationRow(.get, "/tenants/{tenant}/logo", .tenantRead, "Show a tenant's logo")

  package typealias Input = TenantReference
  package typealias Output = LogoSummary
}

/// Removes the logo: the pages show the first letter of the app's name instead.
package enum RemoveLogoOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .delete, "/tenants/{tenant}/logo", .tenantWrite, "Remove a tenant's logo", status: 204)

  package typealias Input = TenantReference
  package typealias Output = Nothing
}
