// What the operations about push tokens share.

import GatehousePrimitives

enum PushTokens {
  /// The token itself, which is stored sealed.
  static func text(_ stored: StoredPushToken, _ seen: Call) throws -> String {
    try seen.tenant.vault.open(stored.token.sealed, for: .pushToken(stored.session)).expose {
      String(decoding: $0, as: UTF8.self)
    }
  }

  static func user(_ text: String, _ pointer: String) throws -> UserID {
    guard let id = UserID(text: text) else { throw Refusal.malformed(pointer, "is not a user's id") }
    return id
  }
}
