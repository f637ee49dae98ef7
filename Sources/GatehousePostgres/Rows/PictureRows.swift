import GatehouseIdentity
import GatehousePrimitives

/// Statements and rows of tenants' pictures.
enum PictureRows {
  /// Without the content, which the role that loads all tenants may not read.
  static let columns: SQL = "use, media_type, size, sha256, set_at"
}

extension TenantPicture {
  /// From `PictureRows.columns`.
  init?(_ columns: inout RowReader) throws {
    guard let use = PictureUse(rawValue: try columns.next()), let type = PictureType(rawValue: try columns.next())
    else { return nil }
    self.init(
      use: use, type: type, size: try columns.next(), sha256: try columns.next(), setAt: try columns.next())
  }
}

extension PostgresTenantStore {
  func picture(sha256: [UInt8]) async throws -> [UInt8]? {
    try await read("SELECT content FROM tenant_picture WHERE sha256 = \(sha256) LIMIT 1").single { try $0.next() }
  }

  func setPicture(_ picture: TenantPicture, content: [UInt8], audit: AuditEntry) async throws {
    _ = try await write([
      """
      INSERT INTO tenant_picture (use, media_type, content, size, sha256, set_at)
      VALUES (\(picture.use.rawValue), \(picture.type.rawValue), \(content), \(picture.size)::integer,
        \(picture.sha256), \(picture.setAt))
      ON CONFLICT (tenant_id, use) DO UPDATE SET media_type = excluded.media_type, content = excluded.content,
        size = excluded.size, sha256 = excluded.sha256, set_at = excluded.set_at
      """,
      AuditRows.insert(audit), TenantRows.notify,
    ])
  }

  func removePicture(_ use: PictureUse, audit: AuditEntry) async throws {
    _ = try await write([
      "DELETE FROM tenant_picture WHERE use = \(use.rawValue)", AuditRows.insert(audit), TenantRows.notify,
    ])
  }
}
