package import Foundation
import GatehousePrimitives

/// The hashes of a tenant's audit chain.
///
/// Each link's hash covers the hash before it, so that no row can be changed, left out, put in or moved without all
/// hashes behind it changing, up to the head that was signed. Personal data is covered only through a commitment: an
/// HMAC under a random salt of the row's own. With the salt erased, it neither tells nor confirms anything about what
/// it was made of, and the chain stays whole.
package struct AuditChain: Sendable {
  private let tenant: UUID

  package init(tenant: UUID) { self.tenant = tenant }

  /// Stands before the first link.
  package var start: [UInt8] { SHA256.digest(Array("gatehouse audit chain 1".utf8) + tenant.bytes) }

  /// The link that seals `row` as number `seq`, after a link whose hash is `previous`.
  package func link(_ row: TrailRow, seq: Int64, after previous: [UInt8], sealedAt: Int64) -> AuditLink {
    let salt = SecureRandom.bytes(32)
    let commitment = commitment(row.erasable, salt: salt)
    let hash = hash(row, seq: seq, after: previous, sealedAt: sealedAt, commitment: commitment)
    return AuditLink(
      seq: seq, row: row.id, sealedAt: sealedAt, salt: salt, commitment: commitment, hash: hash)
  }

  /// The hash that an unchanged link has.
  package func hash(
    _ row: TrailRow, seq: Int64, after previous: [UInt8], sealedAt: Int64, commitment: [UInt8]
  ) -> [UInt8] {
    var fields = FieldBytes("gatehouse audit link 1")
    fields.add(tenant.bytes)
    // GUARD: audit: links hang together
    fields.add(previous)
    fields.add(number: seq)
    fields.add(number: sealedAt)
    fields.add(row.id.bytes)
    fields.add(number: row.at)
    fields.add(text: row.event)
    // GUARD: audit: who did it is sealed
    fields.add(text: row.actor)
    fields.add(row.user?.bytes)
    fields.add(row.session?.bytes)
    fields.add(number: row.revision.map(Int64.init))
    fields.add(commitment)
    return SHA256.digest(fields.bytes)
  }

  /// The commitment to what can be erased.
  package func commitment(_ erasable: TrailRow.Erasable, salt: [UInt8]) -> [UInt8] {
    var fields = FieldBytes("gatehouse audit commitment 1")
    fields.add(text: erasable.requestID)
    fields.add(text: erasable.address)
    fields.add(erasable.details)
    return HMACSHA256.code(fields.bytes, key: salt)
  }
}

/// Fields one after the other so that no two lists of fields give the same bytes: each is absent, or preceded by its
/// length.
private struct FieldBytes {
  private(set) var bytes: [UInt8]

  init(_ purpose: String) {
    bytes = []
    add(text: purpose)
  }

  mutating func add(_ field: [UInt8]?) {
    guard let field else { return bytes.append(0) }
    bytes.append(1)
    withUnsafeBytes(of: UInt64(field.count).bigEndian) { bytes += $0 }
    bytes += field
  }

  mutating func add(text: String?) { add(text.map { Array($0.utf8) }) }

  mutating func add(number: Int64?) { add(number.map { withUnsafeBytes(of: $0.bigEndian) { Array($0) } }) }
}
