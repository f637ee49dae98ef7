package import GatehousePolicy

/// A list of the copy of a user's data, under its name in JSON.
package struct ExportedList: Hashable, Sendable {
  package let name: String
  package let rows: [ExportedRow]

  package init(name: String, rows: [ExportedRow]) { (self.name, self.rows) = (name, rows) }
}

/// A row of such a list: plain values under names of JSON, in their order.
package struct ExportedRow: Codable, Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package let name: String
    package let value: FieldValue

    package init(name: String, value: FieldValue) { (self.name, self.value) = (name, value) }
  }

  package let members: [Member]

  package init(_ members: [Member]) { self.members = members }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: ExportedName.self)
    members = try container.allKeys.sorted { $0.stringValue < $1.stringValue }.map { name in
      Member(
        name: ContractJSON.spelled(name.stringValue), value: try container.decode(FieldValue.self, forKey: name))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: ExportedName.self)
    for member in members { try container.encode(member.value, forKey: ExportedName(member.name)) }
  }
}

/// A name that a noun gives a list or a member.
struct ExportedName: CodingKey {
  let stringValue: String
  let intValue: Int? = nil
  init(_ text: String) { stringValue = text }
  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { nil }
}

/// The rows of the lists that are described one by one. A list that is not here is described as one of plain values.
package enum ExportedRows {
  package static let all: [(list: String, row: any (Decodable & SendableMetatype).Type)] = [
    ("devices", Device.self), ("codes", Code.self), ("mails", Mail.self), ("messages", Message.self),
    ("kept_answers", KeptAnswer.self), ("attest_keys", AttestKey.self),
    ("authenticator_apps", AuthenticatorApp.self), ("passkeys", Passkey.self), ("recovery_codes", RecoveryCode.self),
  ]

  /// A device that the person signed in on, the last used one first.
  package struct Device: Decodable, Sendable {
    /// Its id here; what the device keeps is a secret of its own.
    package var id: String
    /// The name that the device gives itself.
    package var name: String?
    /// When it was first seen.
    package var createdAt: Timestamp
    /// When the person last signed in on it.
    package var lastSeenAt: Timestamp
    /// False once it was forgotten: it is a new one when it comes again.
    package var isKnown: Bool
    /// When a second factor was used on it that is to be remembered.
    package var rememberedAt: Timestamp?
  }

  /// A link or code that was mailed, while it is remembered; never the code itself.
  package struct Code: Decodable, Sendable {
    /// The purpose of the code: `verify_email`, `reset_password`.
    package var purpose: String
    /// Where it was mailed.
    package var destination: String
    /// When it was made.
    package var createdAt: Timestamp
    /// When it ended, or ends.
    package var expiresAt: Timestamp
    /// When it was used.
    package var usedAt: Timestamp?
  }

  /// A mail about the account, while it is remembered.
  package struct Mail: Decodable, Sendable {
    /// The kind of the mail: `verify_email`, `password_changed`.
    package var kind: String
    /// When it was written.
    package var createdAt: Timestamp
    /// When the mail server took it.
    package var deliveredAt: Timestamp?
  }

  /// A message about the person to a server of the app's (a webhook), sent or waiting, as long as it is stored.
  package struct Message: Decodable, Sendable {
    /// The event of the message, such as `user.created`.
    package var event: String
    /// When that happened.
    package var at: Timestamp
    /// When the server took it.
    package var deliveredAt: Timestamp?
  }

  /// An answer that is kept, sealed, for a request that may be sent again (`Idempotency-Key`).
  package struct KeptAnswer: Decodable, Sendable {
    /// Until when.
    package var expiresAt: Timestamp
  }

  /// A key of an attested copy of the app that the person signed in with last.
  package struct AttestKey: Decodable, Sendable {
    /// Its name, as the device has it.
    package var keyID: String
    /// `development` or `production`.
    package var environment: String
    /// When it was registered.
    package var createdAt: Timestamp
    /// When it was last used.
    package var lastUsedAt: Timestamp
  }

  /// A passkey.
  package struct Passkey: Decodable, Sendable {
    /// The factor's id.
    package var id: String
    /// The name that the person gave it.
    package var name: String?
    /// The authenticator's id of it, in Base64.
    package var credentialID: String
    /// The domain that it is for.
    package var rpID: String
    /// The model of the authenticator (AAGUID), in Base64.
    package var model: String
    /// Whether copies of it are kept elsewhere, as its authenticator says.
    package var synced: Bool
    /// When it was added.
    package var createdAt: Timestamp
    /// When it last proved who its owner is.
    package var lastUsedAt: Timestamp?
  }

  /// An authenticator app that is a second factor; never its seed.
  package struct AuthenticatorApp: Decodable, Sendable {
    /// The factor's id.
    package var id: String
    /// The name that the person gave it.
    package var name: String?
    /// When it was added.
    package var createdAt: Timestamp
    /// When it last proved who its owner is.
    package var lastUsedAt: Timestamp?
  }

  /// A recovery code of the newest set; never the code itself.
  package struct RecoveryCode: Decodable, Sendable {
    /// When the set was made.
    package var createdAt: Timestamp
    /// When it was used.
    package var usedAt: Timestamp?
  }
}
