import Foundation
import GatehouseIdentity

extension PostgresTenantStore {
  func everything(about id: UserID) async throws -> StoredUserData? {
    let answers = try await translating {
      try await database.read(
        tenant.uuid,
        [
          """
          SELECT \(UserRows.columns), EXISTS (SELECT FROM credential WHERE account_id = account.id),
            (SELECT complies FROM password_compliance WHERE account_id = account.id),
            (SELECT count(*) FROM password_history WHERE account_id = account.id)
          FROM account WHERE id = \(id.uuid)
          """,
          "SELECT field, key FROM unique_value WHERE account_id = \(id.uuid) ORDER BY field, key",
          """
          SELECT \(SessionRows.columns), end_reason, push_platform, sealed_push_token FROM session
          WHERE account_id = \(id.uuid) ORDER BY created_at DESC, id DESC
          """,
          // Codes to the address as well: a code that completes a sign-up belongs to no account yet.
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
    return try answers[0].single { columns in
      StoredUserData(
        user: try StoredUser(&columns),
        uniqueValues: try answers[1].read { UniqueValue(field: try $0.next(), key: try $0.next()) },
        hasPassword: try columns.next(), passwordComplies: try columns.next(), earlierPasswords: try columns.next(),
        identities: try answers[5].read { try ProviderIdentity(&$0) },
        sessions: try answers[2].read {
          StoredUserData.SessionRow(
            session: try Session(&$0, of: tenant), endReason: try $0.next(), pushPlatform: try $0.next(),
            sealedPushToken: try $0.next())
        },
        devices: try answers[6].read {
          StoredUserData.DeviceRow(
            id: try $0.next(), name: try $0.next(), createdAt: try $0.next(), lastSeenAt: try $0.next(),
            isKnown: try $0.next())
        },
        codes: try answers[3].read {
          StoredUserData.CodeRow(
            purpose: try $0.next(), destination: try $0.next(), createdAt: try $0.next(), expiresAt: try $0.next(),
            usedAt: try $0.next())
        },
        mails: try answers[4].read {
          StoredUserData.MailRow(kind: try $0.next(), createdAt: try $0.next(), deliveredAt: try $0.next())
        },
        messages: try answers[7].read {
          StoredUserData.MessageRow(event: try $0.next(), at: try $0.next(), deliveredAt: try $0.next())
        }, keptAnswers: try answers[8].read { try $0.next() },
        attestKeys: try answers[9].read {
          StoredUserData.AttestKeyRow(
            id: try $0.next(), environment: try $0.next(), createdAt: try $0.next(), lastUsedAt: try $0.next())
        })
    }
  }
}
