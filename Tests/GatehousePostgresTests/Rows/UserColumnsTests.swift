import GatehouseIdentity
import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

/// Which columns hold what is known of a person: each is in their copy, or here is the reason why it is not.
@Suite struct UserColumnsTests {
  private static let secret = "a secret, hashed or sealed: of no use to its owner, of some to others"
  private static let ours = "how the store does its work; it says nothing of the person"

  private static let copied: [String: Set<String>] = [
    "account": [
      "id", "email", "email_verified_at", "mail_proven_at", "disabled_at", "profile", "is_online", "last_seen",
      "created_at",
      "updated_at",
      "password_changed_at", "must_change_password", "entered_by",
    ],
    "unique_value": ["field", "key"],
    "backfill_value": ["stored", "moved_at"],
    "search_key": [],
    "credential": [],
    "password_history": [], "deleted_account": [],
    "password_compliance": ["complies"],
    "session": [
      "id", "created_at", "last_seen_at", "authenticated_at", "methods", "expires_at", "idle_expires_at", "device_name",
      "device_id", "place", "push_platform", "sealed_push_token", "ended_at", "end_reason",
    ],
    "refresh_token": [],
    "device": ["id", "name", "created_at", "last_seen_at", "trusted_at"],
    "totp": ["id", "name", "created_at", "last_used_at"],
    "passkey": ["id", "name", "credential_id", "rp_id", "model", "backed_up", "created_at", "last_used_at"],
    "recovery_code": ["created_at", "used_at"],
    "one_time_code": ["purpose", "destination", "created_at", "token_expires_at", "code_expires_at", "used_at"],
    "outbox": ["kind", "created_at", "delivered_at"],
    "webhook_delivery": ["event", "at", "delivered_at"],
    "idempotency_key": ["expires_at"],
    "provider_identity": ["provider", "issuer", "subject", "scopes", "state", "linked_at"],
    "provider_grant": [], "provider_revocation": [], "ticket": [],
    "attest_key": ["key_id", "environment", "created_at", "last_used_at"],
    "audit": ["at", "event", "actor", "session_id", "request_id", "address", "revision", "details"],
  ]

  private static let left: [String: [String: String]] = [
    "account": [
      "epoch": ours, "factors": "the kinds of the factors, which are in the copy",
      "mfa_asked_at": "when a demand of the policy first bound the account",
    ],
    "search_key": [
      "field": "the name of a profile field", "key": "what a text of the profile begins with", "standing": ours,
    ],
    "backfill_value": ["backfill_id": ours, "given": "the same value, which the profile has"],
    "credential": ["phc": secret],
    // A person whose account is deleted asks for no copy; `user erase` erases the row.
    "deleted_account": [
      "id": "of an account that is deleted", "email": "of an account that is deleted", "deleted_at": ours,
      "erase_at": ours, "kept": "of an account that is deleted",
    ],
    "password_history": ["phc": secret, "number": "how many there are is in the copy"],
    "password_compliance": ["rules": ours, "seen_on": ours],
    "session": [
      "expiry_noted": ours, "client": "an app, or a browser at the pages", "page_hash": secret,
      "push_token_digest": secret,
      "proofs": "its methods and newest time are in the copy, and each proof is an event there",
    ],
    "refresh_token": [
      "hash": secret, "sealed_successor": secret, "successor_hash": secret, "predecessor_hash": secret,
      "retry_digest": secret, "superseded": ours, "session_id": ours,
      "created_at": "that of its session's uses, which are in the copy", "spent_at": "likewise",
    ],
    "device": ["token_hash": secret, "trusted_epoch": ours],
    "totp": ["sealed_seed": secret, "last_step": ours, "failures": ours],
    "passkey": [
      "public_key": "a public key, which the authenticator has", "algorithm": ours, "sign_count": ours,
      "attested": ours,
      "backup_eligible": ours, "transports": "what the browser said of the authenticator",
    ],
    "recovery_code": ["mac": secret],
    "one_time_code": [
      "id": ours, "token_hash": secret, "code_mac": secret, "sealed_payload": secret, "superseded_at": ours,
      "attempts": ours, "session_id": "that of a session, which is in the copy",
      "contact": "the kind of the destination, which is in the copy",
    ],
    "outbox": [
      "channel": ours,
      "id": ours, "sealed_order": secret, "due_at": ours, "expires_at": ours, "attempts": ours, "given_up_at": ours,
      "last_error": ours, "code_id": ours, "link_seconds": ours, "code_seconds": ours,
      "traceparent": ours,
    ],
    "webhook_delivery": [
      "id": ours, "endpoint_id": "the operator's", "revision": ours, "created_at": ours, "due_at": ours,
      "expires_at": ours, "attempts": ours, "given_up_at": ours, "last_error": ours, "traceparent": ours,
    ],
    "idempotency_key": ["key": secret, "body": secret, "claim": ours, "claimed_until": ours, "sealed_answer": secret],
    "provider_identity": ["exclusive": ours, "changed_at": ours],
    "provider_grant": [
      "provider": "that of its identity, which is in the copy", "version": ours, "person_hash": ours,
      "sealed_tokens": secret, "revocable": ours, "kept_at": ours, "expires_at": ours, "leased_until": ours,
      "paused_until": ours,
    ],
    "provider_revocation": [
      "id": ours, "provider": "that of an identity that is gone", "version": ours, "person_hash": ours,
      "sealed_tokens": secret, "attempts": ours, "due_at": ours, "expires_at": ours,
    ],
    "ticket": [
      "hash": secret, "provider": "where a user is for ten minutes at most", "purpose": ours, "holder_hash": secret,
      "session_id": "that of a session, which is in the copy", "client_id": "the tenant's", "user_code": secret,
      "epoch": ours, "state": ours, "attempts": ours, "sealed_payload": secret, "created_at": ours,
      "expires_at": ours, "spent_at": ours,
    ],
    "attest_key": ["point": "the public half of a key that key_id names", "counter": ours],
    "audit": ["id": ours],
  ]

  /// Tables that name a person or an address, or hang on one that does.
  private static let catalogue: SQL = """
    WITH RECURSIVE named AS (
      SELECT DISTINCT attrelid AS id FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'gatehouse'::regnamespace AND relkind IN ('r', 'p') AND NOT attisdropped
        AND attname IN ('account_id', 'session_id', 'device_id', 'email', 'phone', 'destination', 'address', 'user_agent')
      UNION
      SELECT conrelid FROM pg_constraint JOIN named ON confrelid = named.id WHERE contype = 'f')
    SELECT relname::text, attname::text FROM named JOIN pg_class ON pg_class.oid = named.id
    JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE attname NOT IN ('tenant_id', 'account_id') ORDER BY 1, 2
    """

  /// Columns that no list names.
  private func unaccounted(_ database: Database) async throws -> [String] {
    try await database.read(nil, Self.catalogue).compactMap { row in
      let (table, column): (String, String) = (try row[0], try row[1])
      let isKnown = Self.copied[table]?.contains(column) ?? false || Self.left[table]?[column] != nil
      return isKnown ? nil : "\(table).\(column)"
    }
  }

  @Test("every column that tells of a person is in their copy, or has a reason why it is not")
  func catalogue() async throws {
    try await withStore { ground async throws in
      #expect(try await unaccounted(ground.app) == [])
      let there = Set(try await ground.app.read(nil, Self.catalogue).map { try $0[0] as String })
      #expect(there == Set(Self.copied.keys))
    }
  }

  @Test(
    "the same look finds what was added and forgotten",
    arguments: [
      ("ALTER TABLE gatehouse.session ADD COLUMN latitude real", ["session.latitude"]),
      ("ALTER TABLE gatehouse.account ADD COLUMN phone text", ["account.phone"]),
      ("CREATE TABLE gatehouse.factor (tenant_id uuid, account_id uuid, seed bytea)", ["factor.seed"]),
      (
        """
        CREATE TABLE gatehouse.note (tenant_id uuid, device uuid, words text,
          FOREIGN KEY (tenant_id, device) REFERENCES gatehouse.device (tenant_id, id))
        """, ["note.device", "note.words"]
      ),
    ])
  func control(script: String, found: [String]) async throws {
    try await withStore { ground async throws in
      try await ground.place.run(script: script)
      #expect(try await unaccounted(ground.app) == found)
    }
  }
}
