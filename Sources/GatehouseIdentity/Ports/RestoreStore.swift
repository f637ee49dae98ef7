package import Foundation

/// A kind of thing that lives again where a database was restored to an earlier moment, and must not.
package enum Revived: String, Sendable, CaseIterable {
  /// With their refresh tokens, spent or not.
  case sessions
  case codes
  /// Of people who are away at a provider, and of codes that no app redeemed.
  case tickets = "flows"
  /// Claims and kept answers of repeated requests.
  case answers
  /// Mails that wait with a code or link that is void.
  case mails
}

/// The part of a tenant that a restore concerns.
package protocol RestoreStore: Sendable {
  /// The moment that the tenant was last restored to, as `recordRestore` noted it.
  func restoredTo() async throws -> Date?

  /// How many of a kind live.
  func count(_ kind: Revived) async throws -> Int

  /// Ends at most `limit` of a kind. How many.
  func end(_ kind: Revived, limit: Int) async throws -> Int

  /// Notes the restore, from now on, with its audit row: `refused(.restoreIsNews)` where this one was noted. A thing
  /// that leaves a mark only when it is used counts as used if it was made before.
  func recordRestore(to moment: Date, audit: AuditEntry) async throws
}
