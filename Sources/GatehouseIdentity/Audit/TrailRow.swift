package import Foundation
package import GatehousePrimitives

/// A row of the audit log exactly as it is stored, which the chain is made over; unknown events included.
package struct TrailRow: Sendable, Equatable {
  /// The parts that identify a person. They can be erased, and the chain still verifies.
  package struct Erasable: Sendable, Equatable {
    package var requestID: String?
    package var address: String?
    /// The details as `JSONValue.canonical`.
    package var details: [UInt8]

    package init(requestID: String?, address: String?, details: [UInt8]) {
      self.requestID = requestID
      self.address = address
      self.details = details
    }

    /// Nothing is left.
    package var isEmpty: Bool { requestID == nil && address == nil && details == Array("{}".utf8) }
  }

  package var id: UUID
  /// Microseconds since 1970.
  package var at: Int64
  package var event: String
  package var actor: String
  package var user: UUID?
  package var session: UUID?
  package var revision: Int32?
  package var erasable: Erasable

  package init(
    id: UUID, at: Int64, event: String, actor: String, user: UUID?, session: UUID?, revision: Int32?,
    erasable: Erasable
  ) {
    self.id = id
    self.at = at
    self.event = event
    self.actor = actor
    self.user = user
    self.session = session
    self.revision = revision
    self.erasable = erasable
  }

  /// The administrator who acted, if one did: what the row says of their address is theirs.
  var administrator: UUID? {
    guard actor.hasPrefix("administrator:") else { return nil }
    return UserID(text: String(actor.dropFirst("administrator:".count)))?.uuid
  }
}

/// One link of a tenant's chain.
package struct AuditLink: Sendable, Equatable {
  /// From 1, without gaps.
  package var seq: Int64
  /// The row that it seals.
  package var row: UUID
  /// Microseconds since 1970, by the database's clock.
  package var sealedAt: Int64
  /// The commitment's key; nil once the row's erasable part was erased.
  package var salt: [UInt8]?
  /// To the row's erasable part.
  package var commitment: [UInt8]
  /// Over the hash before, the number, the moment, the row's lasting part and the commitment.
  package var hash: [UInt8]

  package init(
    seq: Int64, row: UUID, sealedAt: Int64, salt: [UInt8]?, commitment: [UInt8], hash: [UInt8]
  ) {
    self.seq = seq
    self.row = row
    self.sealedAt = sealedAt
    self.salt = salt
    self.commitment = commitment
    self.hash = hash
  }
}

/// A link with its row as it is now; nil when the row is gone.
package struct LinkedRow: Sendable, Equatable {
  package var link: AuditLink
  package var row: TrailRow?

  package init(link: AuditLink, row: TrailRow?) {
    self.link = link
    self.row = row
  }
}

extension Date {
  /// Whole microseconds since 1970, as PostgreSQL keeps them; bounded to some ten thousand years.
  package var microseconds: Int64 {
    let value = (timeIntervalSinceReferenceDate * 1_000_000).rounded()
    guard value.isFinite else { return 0 }
    return Int64(max(-4e17, min(4e17, value))) + 978_307_200_000_000
  }

  /// A moment from microseconds since 1970.
  package init(microseconds: Int64) {
    self.init(timeIntervalSinceReferenceDate: (Double(microseconds) - 978_307_200_000_000) / 1_000_000)
  }
}

extension JSONValue {
  /// The same value with the members of every object in the order of their names' bytes.
  package var canonical: JSONValue {
    switch self {
    case .object(let object):
      var sorted = JSONObject()
      for member in object.members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        sorted[member.key] = member.value.canonical
      }
      return .object(sorted)
    case .array(let items): return .array(items.map(\.canonical))
    default: return self
    }
  }
}
