import Foundation

extension AuthUser {
  /// The record as a type of the app's own: `id`, `email`, `isEmailVerified`, `isOnline`, `lastSeen`, `createdAt`,
  /// `updatedAt`, `linkedProviders`, and each profile field under its own name, which yields to those. Dates decode as
  /// `Date`. Throws `DecodingError` where a member of the type has no value.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try FlatRecord(
      profile: profile, id: id, email: email, isEmailVerified: isEmailVerified, presence: presence,
      createdAt: createdAt, updatedAt: updatedAt, linkedProviders: links.filter { !$0.isBroken }.map(\.provider)
    ).decode(type)
  }
}

extension PublicProfile {
  /// The record as a type of the app's own: `id`, `isOnline`, `lastSeen`, and each profile field under its own name,
  /// which yields to those. Throws `DecodingError` where a member of the type has no value.
  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try FlatRecord(profile: profile, id: id, presence: presence).decode(type)
  }
}

/// A record as one flat object.
private struct FlatRecord: Encodable {
  var profile: Profile
  var id: String
  var email: String?
  var isEmailVerified: Bool?
  var presence: UserPresence?
  var createdAt: Date?
  var updatedAt: Date?
  var linkedProviders: [String]?

  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    for (name, value) in profile where value != .null { try container.encode(value, forKey: Key(name)) }
    try container.encode(id, forKey: Key("id"))
    try container.encodeIfPresent(email, forKey: Key("email"))
    try container.encodeIfPresent(isEmailVerified, forKey: Key("isEmailVerified"))
    try container.encodeIfPresent(presence?.isOnline, forKey: Key("isOnline"))
    try container.encodeIfPresent(presence?.lastSeen, forKey: Key("lastSeen"))
    try container.encodeIfPresent(createdAt, forKey: Key("createdAt"))
    try container.encodeIfPresent(updatedAt, forKey: Key("updatedAt"))
    try container.encodeIfPresent(linkedProviders, forKey: Key("linkedProviders"))
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    return try decoder.decode(type, from: try encoder.encode(self))
  }
}
