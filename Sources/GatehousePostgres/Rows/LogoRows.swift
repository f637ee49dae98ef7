import GatehouseIdentity
import GatehousePrimitives

/// Statements and rows of tenants' logos.
enum LogoRows {
  /// Without the content, which the role that loads all tenants may not read.
  static let columns: SQL = "media_type, size, sha256, set_at"
}

extension TenantLogo {
  /// From `LogoRows.columns`.
  init?(_ columns: inout RowReader) throws {
    guard let type = PictureType(rawValue: try columns.next()) else { return nil }
    self.init(type: type, size: try columns.next(), sha256: try columns.next(), setAt: try columns.next())
  }
}

extension PostgresTenantStore {
  func logo(sha256: [UInt8]) async throws -> [UInt8]? {
    try await read("SELECT content FROM tenant_logo WHERE sha256 = \(sha256)").single { try $0.next() }
  }

  func setLogo(_ logo: TenantLogo, content: [UInt8], audit: AuditEntry) async throws {
    _ = try await write([
      """
      INSERT INTO tenant_logo (media_type, content, size, sha256, set_at)
      VALUES (\(logo.type.rawValue), \(content), \(logo.size)::integer, \(logo.sha256), \(logo.setAt))
      ON CONFLICT (tenant_id) DO UPDATE SET media_type = excluded.media_type, content = excluded.content,
        size = excluded.size, sha256 = excluded.sha256, set_at = excluded.set_at
      """,
      AuditRows.insert(audit), TenantRows.notify,
    ])
  }

  func removeLogo(audit: AuditEntry) async throws {
    _ = try await write(["DELETE FROM tenant_logo", AuditRows.insert(audit), TenantRows.notify])
  }
}
