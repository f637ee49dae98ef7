package import Foundation
package import GatehousePrimitives

/// A tenant's logo as servers hold it. The content stays in the database until a browser asks for it.
package struct TenantLogo: Sendable, Equatable {
  package var type: PictureType
  /// Bytes.
  package var size: Int
  /// Of the content.
  package var sha256: [UInt8]
  package var setAt: Date

  package init(type: PictureType, size: Int, sha256: [UInt8], setAt: Date) {
    self.type = type
    self.size = size
    self.sha256 = sha256
    self.setAt = setAt
  }

  /// `logo.HASH.svg`: another content has another name, so that caches keep what they have for good.
  package var fileName: String { "logo.\(Hex.encode(Array(sha256.prefix(16)))).\(type.fileExtension)" }
}

extension TenantSnapshot {
  /// Where pages' files are, below the tenant's own path.
  package static let assetsPath = "/ui/assets"

  /// Where clients fetch a logo.
  package func url(of logo: TenantLogo) -> String { "\(issuer)\(Self.assetsPath)/\(logo.fileName)" }
}
