import Foundation
import GatehouseIdentity
import GatehousePrimitives

/// Proofs as a session's row has them: `proofs`, and for builds before it `methods` and `authenticated_at`.
extension Proofs {
  /// The value of `session.proofs`.
  var stored: JSONB { JSONB(JSONValue.array(all.map(\.stored)).bytes) }

  /// The proofs of a row. An older build that is still running knows `methods` and `authenticatedAt` alone: they count
  /// where `stored` is missing, and where they are newer. Throws `unexpectedRow` for what no build wrote.
  init(_ tenant: TenantID, _ user: UserID, stored: JSONB?, authenticatedAt: Date, methods: [String]) throws {
    let proofs = try stored.map(Proofs.read) ?? []
    if let first = proofs.first, let newest = proofs.last,
      // GUARD: proofs: an older build wrote last
      authenticatedAt.timeIntervalSince(newest.at) < 0.001
    {
      self.init(tenant: tenant, user: user, first: first, Array(proofs.dropFirst()))
      return
    }
    let older = methods.map { Proof(method: Proof.Method(reference: $0), at: authenticatedAt) }
    guard let first = older.first else { throw DatabaseError.unexpectedRow("a session without a proof") }
    self.init(tenant: tenant, user: user, first: first, Array(older.dropFirst()))
  }

  private static func read(_ document: JSONB) throws -> [Proof] {
    try (JSONParser.parse(document.bytes).array ?? []).compactMap(Proof.init(stored:))
  }
}

/// Fills `session.proofs` of sessions that an older build opened.
package struct PostgresProofBackfill: ProofBackfill {
  private let database: Database

  /// `database` is logged in as the jobs role.
  package init(_ database: Database) { self.database = database }

  package func fill(batch: Int) async throws -> Int {
    let batch = Int32(clamping: max(1, batch))
    return try await translating {
      try await database.write(
        nil,
        [
          """
          UPDATE session SET proofs = (
            SELECT jsonb_agg(jsonb_build_object(
              'method', CASE method WHEN 'fed' THEN 'provider' ELSE 'password' END,
              'at', (extract(epoch FROM authenticated_at) * 1000000)::bigint))
            FROM unnest(methods) AS method)
          WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM session WHERE proofs IS NULL AND methods <> '{}' LIMIT \(batch) FOR UPDATE SKIP LOCKED))
            AND proofs IS NULL
          """
        ])[0].affected
    }
  }
}
