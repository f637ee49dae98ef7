import Foundation
package import GatehouseIdentity
import GatehousePrimitives

/// The tenants, on PostgreSQL.
package struct PostgresTenantDirectory: TenantDirectory {
  private let database: Database
  private let jobs: Database

  /// The channel on which every change of a tenant's bundle is told.
  package static let channel = "gatehouse_tenant"

  /// `database` is logged in as the server's role, `jobs` as the one that sees all tenants.
  package init(_ database: Database, jobs: Database) {
    self.database = database
    self.jobs = jobs
  }

  package func tenants() async throws -> [TenantRecord] {
    try await translating {
      try await database.read(nil, "SELECT \(TenantRows.columns) FROM tenant ORDER BY name")
        .readKnown { try TenantRecord(&$0) }
    }
  }

  package func tenant(_ name: TenantName) async throws -> TenantRecord? {
    try await translating {
      try await database.read(nil, "SELECT \(TenantRows.columns) FROM tenant WHERE name = \(name.description)")
        .singleKnown { try TenantRecord(&$0) }
    }
  }

  package func create(
    _ tenant: TenantRecord, dataKey: SealedDataKey, signingKey: StoredSigningKey, policy: PolicyRevision,
    floor: Int, audit: AuditEntry, record: AuditEntry, keeping answer: OperatorAnswer?
  ) async throws {
    _ = try await translating {
      try await database.write(
        tenant.id.uuid,
        PostgresAdminTokens.keep(answer) + [
          PostgresFloors.demand(newest: floor),
          """
          INSERT INTO tenant (id, name, display_name, enabled, created_at, pinned_revision)
          VALUES (\(tenant.id.uuid), \(tenant.name.description), \(tenant.displayName), \(tenant.enabled),
            \(tenant.createdAt), NULL)
          """,
          """
          INSERT INTO data_key (version, sealed, created_at)
          VALUES (\(dataKey.version)::integer, \(dataKey.sealed), \(dataKey.createdAt))
          """,
          KeyRows.insert(signingKey), PolicyRows.insert(policy), AuditRows.insert(audit), TenantRows.notify,
        ] + AuditRows.record(record))
    }
  }

  package func update(_ tenant: TenantRecord, audit: AuditEntry) async throws {
    _ = try await translating {
      try await database.write(
        tenant.id.uuid,
        [
          """
          UPDATE tenant SET display_name = \(tenant.displayName), enabled = \(tenant.enabled)
          WHERE id = \(tenant.id.uuid)
          """,
          AuditRows.insert(audit), TenantRows.notify,
        ])
    }
  }

  package func append(_ applications: [PolicyApplication]) async throws {
    // The same order in every transaction, so that two of them never deadlock.
    let ordered = applications.sorted { $0.tenant.uuid.text < $1.tenant.uuid.text }
    _ = try await translating {
      try await database.write(ordered.first?.tenant.uuid, ordered.flatMap(PolicyRows.append))
    }
  }

  package func owner(of host: HostName) async throws -> TenantID? {
    try await translating {
      try await database.read(
        nil, "SELECT tenant FROM tenant_host WHERE host = \(host.description) AND verified_at IS NOT NULL"
      ).single { try $0.next() }
    }
  }

  package func add(_ host: TenantHost, to tenant: TenantID, audit: AuditEntry) async throws {
    _ = try await translating {
      try await database.write(
        tenant.uuid,
        [
          """
          DELETE FROM tenant_host WHERE tenant = \(tenant.uuid) AND host = \(host.host.description)
            AND verified_at IS NULL AND expires_at <= gatehouse.now()
          """,
          """
          INSERT INTO tenant_host (host, tenant, proof, added_at, allowed_at, expires_at)
          VALUES (\(host.host.description), \(tenant.uuid), \(host.proof), \(host.addedAt), \(host.allowedAt),
            \(host.expiresAt))
          """,
          AuditRows.insert(audit), TenantRows.notify,
        ])
    }
  }

  package func allow(_ host: TenantHost, of tenant: TenantID, audit: AuditEntry) async throws {
    try await change(
      """
      UPDATE tenant_host SET allowed_at = \(host.allowedAt)
      WHERE host = \(host.host.description) AND tenant = \(tenant.uuid) AND proof = \(host.proof) RETURNING 1
      """, of: tenant, audit)
  }

  package func verify(_ host: TenantHost, of tenant: TenantID, audit: AuditEntry) async throws {
    try await change(
      """
      UPDATE tenant_host SET verified_at = \(host.verifiedAt)
      WHERE host = \(host.host.description) AND tenant = \(tenant.uuid) AND proof = \(host.proof)
        AND allowed_at IS NOT NULL AND (verified_at IS NOT NULL OR expires_at > gatehouse.now()) RETURNING 1
      """, of: tenant, audit)
  }

  /// Changes one claim; servers hear of it.
  private func change(_ statement: SQL, of tenant: TenantID, _ audit: AuditEntry) async throws {
    _ = try await translating {
      try await database.write(
        tenant.uuid, [.requiring(.claimExists, statement), AuditRows.insert(audit), TenantRows.notify])
    }
  }

  package func remove(_ host: TenantHost, from tenant: TenantID, audit: AuditEntry) async throws {
    _ = try await translating {
      try await database.write(
        tenant.uuid,
        [
          "DELETE FROM tenant_host WHERE host = \(host.host.description) AND tenant = \(tenant.uuid)",
          AuditRows.insert(audit), TenantRows.notify,
        ])
    }
  }

  package func delete(_ tenant: TenantID, record: AuditEntry) async throws {
    _ = try await translating {
      try await database.write(
        tenant.uuid,
        [TenantRows.notify, "SELECT gatehouse.erase_tenant()", "DELETE FROM tenant WHERE id = \(tenant.uuid)"]
          + AuditRows.record(record))
    }
  }

  /// The answers of one statement for each tenant, in their order.
  func readTrails(of tenants: [TenantID], _ statement: SQL) async throws -> [Rows] {
    let answers = try await translating {
      try await database.read(
        nil,
        tenants.flatMap { tenant -> [SQL] in
          ["SELECT set_config('app.tenant', \(tenant.uuid)::text, true)", statement]
        })
    }
    return stride(from: 1, to: answers.count, by: 2).map { answers[$0] }
  }

  package func bundles(_ names: [TenantName]) async throws -> [TenantBundle] {
    let texts = names.map(\.description)
    let tenants = try await translating {
      try await jobs.read(nil, "SELECT \(TenantRows.columns) FROM tenant WHERE name = ANY(\(texts)) ORDER BY name")
        .readKnown { try TenantRecord(&$0) }
    }
    let ids = tenants.map(\.id.uuid)
    guard !ids.isEmpty else { return [] }
    let answers = try await translating {
      try await jobs.read(
        nil,
        [
          // The mark is read first: a change that comes between is one for the next look.
          "\(TenantRows.marks) WHERE id = ANY(\(ids))",
          """
          SELECT DISTINCT ON (tenant_id) tenant_id, \(PolicyRows.columns) FROM policy_revision
          WHERE tenant_id = ANY(\(ids)) ORDER BY tenant_id, number DESC
          """,
          "SELECT tenant_id, \(KeyRows.columns) FROM signing_key WHERE tenant_id = ANY(\(ids))",
          "SELECT tenant_id, version, sealed, created_at FROM data_key WHERE tenant_id = ANY(\(ids))",
          """
          SELECT tenant, host, proof, added_at, allowed_at, expires_at, verified_at,
            EXISTS (SELECT FROM tenant_host other WHERE other.host = claim.host AND other.tenant <> claim.tenant
              AND other.verified_at IS NOT NULL)
          FROM tenant_host claim
          WHERE tenant = ANY(\(ids))
            AND (verified_at IS NOT NULL OR /* GUARD: host: a claim ends */ expires_at > gatehouse.now())
          ORDER BY added_at, host
          """,
          "SELECT tenant_id, \(PictureRows.columns) FROM tenant_picture WHERE tenant_id = ANY(\(ids))",
        ])
    }
    let marks = try TenantRows.marks(in: answers[0])
    let policies = try TenantRows.byTenant(answers[1]) { try PolicyRevision(&$0) }
    let signingKeys = try TenantRows.byTenant(answers[2]) { try StoredSigningKey(&$0) }
    let dataKeys = try TenantRows.byTenant(answers[3]) {
      SealedDataKey(version: try $0.next(), sealed: try $0.next(), createdAt: try $0.next())
    }
    let hosts = try TenantRows.byTenant(answers[4]) { try TenantHost(&$0) }
    let pictures = try TenantRows.byTenant(answers[5]) { try TenantPicture(&$0) }
    return tenants.compactMap { tenant in
      policies[tenant.id]?.first.map { policy in
        TenantBundle(
          mark: marks[tenant.name] ?? [], tenant: tenant, policy: policy, signingKeys: signingKeys[tenant.id] ?? [],
          dataKeys: dataKeys[tenant.id] ?? [],
          hosts: hosts[tenant.id] ?? [], pictures: pictures[tenant.id] ?? [])
      }
    }
  }

  package func dataKeyCount() async throws -> Int {
    try await translating {
      try await jobs.read(nil, "SELECT count(*) FROM data_key WHERE tenant_id IN (SELECT id FROM tenant)").single {
        try $0.next()
      } ?? 0
    }
  }

  package func marks() async throws -> [TenantName: [UInt8]] {
    try await translating { try TenantRows.marks(in: try await jobs.read(nil, TenantRows.marks)) }
  }

  package func changes() -> AsyncMapSequence<AsyncStream<String>, TenantName?> {
    database.listen(PostgresTenantDirectory.channel).map { TenantName($0) }
  }
}

enum TenantRows {
  static let columns: SQL = "id, name, display_name, enabled, created_at, pinned_revision"

  /// Name and mark of each tenant: of all that a bundle is made of, without texts and bytes that only come with another
  /// number or digest.
  static let marks: SQL = """
    SELECT name, sha256(convert_to(ROW(
        id, display_name, enabled, pinned_revision,
        (SELECT ROW(number, digest)::text FROM policy_revision WHERE tenant_id = id ORDER BY number DESC LIMIT 1),
        (SELECT string_agg(ROW(kid, state, sha256(sealed_private_key))::text, ' ' ORDER BY kid)
          FROM signing_key WHERE tenant_id = id),
        (SELECT string_agg(ROW(version, sha256(sealed))::text, ' ' ORDER BY version)
          FROM data_key WHERE tenant_id = id),
        (SELECT string_agg(ROW(host, proof, allowed_at, expires_at, verified_at,
            EXISTS (SELECT FROM tenant_host other WHERE other.host = claim.host AND other.tenant <> claim.tenant
              AND other.verified_at IS NOT NULL))::text, ' ' ORDER BY host)
          FROM tenant_host claim
          WHERE claim.tenant = id AND (verified_at IS NOT NULL OR expires_at > gatehouse.now())),
        (SELECT string_agg(ROW(use, sha256, set_at)::text, ' ' ORDER BY use) FROM tenant_picture WHERE tenant_id = id)
      )::text, 'UTF8'))
    FROM tenant
    """

  /// Names and marks that `marks` finds.
  fileprivate static func marks(in rows: Rows) throws -> [TenantName: [UInt8]] {
    let marks = try rows.readKnown { columns -> (TenantName, [UInt8])? in
      guard let name = TenantName(try columns.next()) else { return nil }
      return (name, try columns.next())
    }
    return Dictionary(marks) { $1 }
  }

  /// Wakes every server; delivered when the transaction commits.
  static let notify: SQL = """
    SELECT pg_notify('gatehouse_tenant', name) FROM tenant WHERE id = gatehouse.tenant()
    """

  /// The results of `body` for the columns behind the tenant's, for each tenant in the order of the rows.
  fileprivate static func byTenant<Value>(
    _ rows: Rows, _ body: (inout RowReader) throws -> Value?
  ) throws -> [TenantID: [Value]] {
    let values = try rows.readKnown { columns -> (tenant: TenantID, value: Value)? in
      let tenant: TenantID = try columns.next()
      return try body(&columns).map { (tenant, $0) }
    }
    return Dictionary(grouping: values, by: \.tenant).mapValues { $0.map(\.value) }
  }
}

extension TenantRecord {
  /// From `TenantRows.columns`.
  fileprivate init?(_ columns: inout RowReader) throws {
    let id: TenantID = try columns.next()
    guard let name = TenantName(try columns.next()) else { return nil }
    self.init(
      id: id, name: name, displayName: try columns.next(), enabled: try columns.next(), createdAt: try columns.next(),
      pinnedRevision: try columns.next())
  }
}

extension TenantHost {
  fileprivate init?(_ columns: inout RowReader) throws {
    guard let name = HostName(try columns.next()) else { return nil }
    self.init(
      host: name, proof: try columns.next(), addedAt: try columns.next(), allowedAt: try columns.next(),
      expiresAt: try columns.next(), verifiedAt: try columns.next(), isTaken: try columns.next())
  }
}
