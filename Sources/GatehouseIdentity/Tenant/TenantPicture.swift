package import Foundation
package import GatehousePrimitives

/// The use of a picture that an operator sets for a tenant.
package enum PictureUse: Sendable, Hashable, RawRepresentable {
  /// The mark before the app's name, and the icon of the browser's tab.
  case logo
  /// The same on dark ground.
  case logoDark
  /// Behind the card of each page.
  case ground
  /// The mark of a provider of the policy, as the provider's brand guide publishes it.
  case provider(String)

  private static let words: [String: PictureUse] = ["logo": .logo, "logo_dark": .logoDark, "ground": .ground]
  private static let providerMark = "provider:"

  /// `logo`, `logo_dark`, `ground`, or `provider:` and a provider's name.
  package init?(rawValue: String) {
    if let use = Self.words[rawValue] {
      self = use
      return
    }
    let name = rawValue.dropFirst(Self.providerMark.count)
    guard rawValue.hasPrefix(Self.providerMark), (1...40).contains(name.utf8.count),
      name.unicodeScalars.allSatisfy({
        $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_")
      })
    else { return nil }
    self = .provider(String(name))
  }

  package var rawValue: String {
    switch self {
    case .logo: "logo"
    case .logoDark: "logo_dark"
    case .ground: "ground"
    case .provider(let name): Self.providerMark + name
    }
  }

  /// The noun in messages.
  package var noun: String {
    switch self {
    case .logo: "logo"
    case .logoDark: "logo for dark ground"
    case .ground: "picture behind the pages"
    case .provider(let name): "logo of \(name)"
    }
  }

  /// The begin of the file's name in addresses.
  fileprivate var stem: String {
    switch self {
    case .logo: "logo"
    case .logoDark: "logo-dark"
    case .ground: "ground"
    case .provider(let name): "provider-\(name)"
    }
  }
}

/// A tenant's picture as servers hold it. The content stays in the database until a browser asks for it.
package struct TenantPicture: Sendable, Equatable {
  package var use: PictureUse
  package var type: PictureType
  /// Bytes.
  package var size: Int
  /// Of the content.
  package var sha256: [UInt8]
  package var setAt: Date

  package init(use: PictureUse, type: PictureType, size: Int, sha256: [UInt8], setAt: Date) {
    self.use = use
    self.type = type
    self.size = size
    self.sha256 = sha256
    self.setAt = setAt
  }

  /// `logo.HASH.svg`: another content has another name, so that caches keep what they have for good.
  package var fileName: String {
    "\(use.stem).\(Hex.encode(Array(sha256.prefix(16)))).\(type.fileExtension)"
  }
}

extension TenantSnapshot {
  /// Where pages' files are, below the tenant's own path.
  package static let assetsPath = "/ui/assets"

  package var logo: TenantPicture? { pictures[.logo] }

  /// Where clients fetch a picture.
  package func url(of picture: TenantPicture) -> String { "\(issuer)\(Self.assetsPath)/\(picture.fileName)" }
}
