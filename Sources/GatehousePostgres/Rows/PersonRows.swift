import Foundation
import GatehouseIdentity

extension PostgresTenantStore {
  func everything(about id: AccountID) async throws -> StoredEverything? {
    let answers = try await translating {
      try await database.read(
        tenant.uuid,
        [
          """
          SELECT EXISTS (SELECT FROM credential WHERE account_id = account.id),
            (SELECT complies FROM password_compliance WHERE account_id = account.id),
            (SELECT count(*) FROM password_history WHERE account_id = account.id), \(AccountRows.columns)
          FROM account WHERE id = \(id.uuid)
          """,
          "SELECT field, key FROM unique_value WHERE account_id = \(id.uuid) ORDER BY field, key",
          """
          SELECT \(SessionRows.columns), end_reason, push_platform, sealed_push_token FROM session
          WHERE account_id = \(id.uuid) ORDER BY created_at DESC, id DESC
          """,
          // Codes to the address as well: one that completes a sign-up belongs to nobody yet.
          """
          SELECT purpose, destination, created_at, greatest(token_expires_at, code_expires_at), used_at
          FROM one_time_code WHERE account_id = \(id.uuid)
            OR destination = (SELECT email FROM account WHERE id = \(id.uuid))
          ORDER BY created_at DESC, id DESC
          """,
          """
          SELECT kind, created_at, delivered_at FROM outbox WHERE account_id = \(id.uuid)
          ORDER BY created_at DESC, id DESC
          """,
          "SELECT \(ProviderRows.columns) FROM provider_identity WHERE account_id = \(id.uuid) ORDER BY linked_at, provider",
          """
          SELECT id, name, created_at, last_seen_at, token_hash IS NOT NULL FROM device WHERE account_id = \(id.uuid)
          ORDER BY last_seen_at DESC, id DESC
          """,
          """
          SELECT event, at, delivered_at FROM webhook_delivery WHERE account_id = \(id.uuid)
          ORDER BY at DESC, id DESC, endpoint_id
          """,
          """
          SELECT expires_at FROM idempotency_key
          WHERE account_id = \(id.uuid) AND expires_at > gatehouse.now() ORDER BY expires_at DESC
          """,
          """
          SELECT key_id, environment, created_at, last_used_at FROM attest_key WHERE account_id = \(id.uuid)
          ORDER BY last_used_at DESC, key_id
          """,
        ])
    }
    guard let row = try answers[0].single() else { return nil }
    let after = Session.columnCount
    return StoredEverything(
      account: try Account(row, from: 3),
      uniqueValues: try answers[1].map { UniqueValue(field: try $0[0], key: try $0[1]) },
      hasPassword: try row[0], passwordComplies: try row[1], earlierPasswords: try row[2],
      identities: try answers[5].map { try ProviderIdentity($0) },
      sessions: try answers[2].map {
        StoredEverything.SessionRow(
          session: try Session($0, of: tenant), endReason: try $0[after], pushPlatform: try $0[after + 1],
          sealedPushToken: try $0[after + 2])
      },
      devices: try answers[6].map {
        StoredEverything.DeviceRow(
          id: try $0[0], name: try $0[1], createdAt: try $0[2], lastSeenAt: try $0[3], isKnown: try $0[4])
      },
      codes: try answers[3].map {
        StoredEverything.CodeRow(
          purpose: try $0[0], destination: try $0[1], createdAt: try $0[2], expiresAt: try $0[3], usedAt: try $0[4])
      },
      mails: try answers[4].map {
        StoredEverything.MailRow(kind: try $0[0], createdAt: try $0[1], deliveredAt: try $0[2])
      },
      messages: try answers[7].map {
        StoredEverything.MessageRow(event: try $0[0], at: try $0[1], deliveredAt: try $0[2])
      }, keptAnswers: try answers[8].map { try $0[0] },
      attestKeys: try answers[9].map {
        StoredEverything.AttestKeyRow(
          id: try $0[0], environment: try $0[1], createdAt: try $0[2], lastUsedAt: try $0[3])
      })
  }
}
