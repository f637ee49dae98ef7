package import Foundation
import GatehousePolicy
import GatehousePrimitives

/// Counters that replicas must agree on.
package protocol LimitStore: Sendable {
  /// Counts one against each limit and says whether all had room. When one had none, nothing is counted.
  func reserve(_ reservations: [Reservation]) async throws -> ReservationVerdict

  /// The count of one counter in the window that runs; 0 where none runs.
  func count(of reservation: Reservation) async throws -> Int

  /// Counts up to `amounts` against each limit, each for itself: as many as have room in its window. The answer is in
  /// the order of `reservations`.
  func lease(_ reservations: [Reservation], amounts: [Int]) async throws -> [Lease]

  /// Counts one attempt to sign in, before anything is verified; the store's clock and one statement decide, so that
  /// any number of parallel attempts over any number of servers get exactly as many permissions as the rules allow.
  ///
  /// From the fifth failure in a row on, each further attempt waits twice as long as the one before (1 s, 2 s, …
  /// 15 min); at 100 the password is disabled until a reset. The attempt also counts one against each of its limits; if
  /// one of them is exhausted, nothing is counted and `StoreError.limited` is thrown.
  func reserveSignIn(_ attempt: SignInAttempt) async throws -> SignInVerdict

  /// Looks an address up and counts one attempt at its password, as above, in one step. If the device is one of that
  /// account's, `attempt.on(device)` is counted.
  func beginSignIn(_ attempt: SignInAttempt, email: String, device hash: [UInt8]?) async throws
    -> (look: SignInLookup?, verdict: SignInVerdict)

  /// Gives back an attempt that was granted and came to no verification: all is as if it had never been. Only the
  /// newest attempt of its key can be given back, and only once; of any other, nothing is given back and it goes on
  /// counting. So a request that verifies and a request that gives back never share a permission.
  func returnSignIn(_ attempt: SignInAttempt) async throws

  /// Counters that run, in the order of names and keys, behind one of them.
  func counters(_ filter: CounterFilter, after place: (name: String, key: String)?, limit: Int) async throws
    -> [LimitCounter]

  /// The counters that run, summed up by limit.
  /// - Parameter most: The count at which each limit is exhausted, by its name.
  func counterSums(_ filter: CounterFilter, most: [String: Int]) async throws -> [LimitCounterSum]

  /// Sets counters that run to zero and says how many. The audit row is written with it.
  func clearCounters(_ filter: CounterFilter, atMost most: Int, noting entry: AuditEntry) async throws -> Int
}

/// One counter.
package struct LimitCounter: Sendable {
  package let name: String
  package let key: String
  package let count: Int
  package let endsAt: Date

  package init(name: String, key: String, count: Int, endsAt: Date) {
    self.name = name
    self.key = key
    self.count = count
    self.endsAt = endsAt
  }
}

/// The counters of one limit together.
package struct LimitCounterSum: Sendable {
  package let name: String
  /// How many run, how many of them are exhausted, and the highest count.
  package let running, exhausted, highest: Int
  /// The key of the exhausted one, where it is the only one.
  package let only: String?
  /// When the last of the exhausted ones ends, or of all where none is exhausted.
  package let endsAt: Date

  package init(name: String, running: Int, exhausted: Int, highest: Int, only: String?, endsAt: Date) {
    (self.name, self.running, self.exhausted) = (name, running, exhausted)
    (self.highest, self.only, self.endsAt) = (highest, only, endsAt)
  }
}

/// A selection of counters: all of these conditions hold.
package struct CounterFilter: Sendable {
  package var name: String?
  /// One text of each group stands in the counter's key.
  package var keys: [[String]] = []
  /// The account of the keys, for the audit log.
  package var user: UserID?

  package var isEmpty: Bool { name == nil && keys.isEmpty }

  package init(name: String? = nil, keys: [[String]] = []) {
    self.name = name
    self.keys = keys
  }
}

extension LimitStore {
  /// Reserves a sign-in without other limits.
  package func reserveSignIn(_ key: SignInKey) async throws -> SignInVerdict {
    try await reserveSignIn(SignInAttempt(key, within: []))
  }
}

/// One attempt at a password, with a name of its own.
package struct SignInAttempt: Sendable {
  package let id: UUID
  package let key: SignInKey
  /// The policy's limits that it counts against.
  package let limits: [Reservation]

  package init(_ key: SignInKey, within limits: [Reservation]) { self.init(.random(), key, limits) }

  private init(_ id: UUID, _ key: SignInKey, _ limits: [Reservation]) {
    self.id = id
    self.key = key
    self.limits = limits
  }

  /// The same attempt, counted with the failures on one device of the account instead of those of other clients:
  /// against the same limits, in the same order. Attempts of others behind its network address are not counted.
  package func on(_ device: [UInt8]) -> SignInAttempt {
    let ownKey = key.ownKey(device)
    return SignInAttempt(
      id, ownKey,
      limits.map { limit in
        var limit = limit
        if SignInAttempt.namesOfAddress.contains(limit.name) { limit.key = ownKey.text }
        // The part that is kept from strangers is for devices that the account knows.
        limit.count = limit.budget ?? limit.count
        return limit
      })
  }

  /// The limits that count by the network address of the client.
  package static let namesOfAddress = [Limits.Name.signInPerAccount, .signInPerIP].map(\.rawValue)
}

/// One count against one limit: at most `count` in `window` seconds, from the first one on.
package struct Reservation: Hashable, Sendable {
  /// The limit's name in the policy, for answers and audit.
  package var name: String
  /// The counted party: an address, a hash of an account's address. No personal data in clear.
  package var key: String
  package var count: Int
  package var window: Int
  /// Whether the limit delays: from the last count within it on, each further one waits twice as long as the one before
  /// (1 s, 2 s, … 30 s), until the window ends.
  package var backsOff: Bool
  /// Whether only the room is asked for: such a reservation refuses where one more would have none, and counts nothing.
  package var isAsked = false
  /// Of a limit of the whole tenant, all that it allows, the kept part included; nil of any other.
  package var budget: Int?

  package init(name: String, key: String, count: Int, window: Int, backsOff: Bool = false) {
    self.name = name
    self.key = key
    self.count = count
    self.window = window
    self.backsOff = backsOff
  }

  /// Asked for room alone.
  package var asked: Reservation {
    var asked = self
    asked.isAsked = true
    return asked
  }

  /// The longest delay of a limit that delays, in seconds.
  package static let longestDelay = 30
}

/// The counted reservations, and a time by which they were counted: a window that began later did not count them.
package struct Counted: Sendable {
  package let reservations: [Reservation]
  package let by: Date

  package init(_ reservations: [Reservation], by moment: Date) {
    self.reservations = reservations.filter { !$0.isAsked }
    by = moment
  }

  /// Nothing.
  package static let none = Counted([], by: .distantPast)
}

/// A count in advance against one limit.
package struct Lease: Equatable, Sendable {
  /// The number that may be spent; 0 when the limit is exhausted.
  package var granted: Int
  /// Seconds until the window ends, and with it what is left of the lease.
  package var seconds: Double

  package init(granted: Int, seconds: Double) {
    self.granted = granted
    self.seconds = seconds
  }
}

package enum ReservationVerdict: Equatable, Sendable {
  case granted
  /// This limit is exhausted for so many seconds.
  case exhausted(name: String, retryAfter: Int)
}

/// The key under which failed sign-ins are counted: a keyed hash of the canonical address, so that an unknown account
/// has one as well, all spellings of an address share one, and a copy of the database does not let a reader look a
/// person up.
package struct SignInKey: Hashable, Sendable {
  package let bytes: [UInt8]

  /// `email` is canonical where it can be, and as given where no account can have it.
  package init(_ tenant: TenantSnapshot, _ email: String) {
    bytes = tenant.vault.pseudonym(Array("email".utf8), Array(email.utf8))
  }

  /// The same of a contact: each kind has keys of its own.
  package init(_ tenant: TenantSnapshot, _ contact: Contact) {
    switch contact.kind {
    case .email: self.init(tenant, contact.value)
    case .phone: self.init(bytes: tenant.vault.pseudonym(Array("phone".utf8), Array(contact.value.utf8)))
    }
  }

  /// The key of an account: that of its address, or of its id where it has none.
  package init(_ tenant: TenantSnapshot, of user: StoredUser) {
    if let email = user.email {
      self.init(tenant, email)
    } else {
      self.init(bytes: tenant.vault.pseudonym(Array("account".utf8), user.id.uuid.bytes))
    }
  }

  /// From the bytes as they were stored.
  package init(bytes: [UInt8]) { self.bytes = bytes }

  /// The key as limits count by it.
  package var text: String { Hex.encode(bytes) }

  /// The key of the same person's failures on one device that is known to be theirs. It begins with the bytes of this
  /// key.
  package func ownKey(_ device: [UInt8]) -> SignInKey { SignInKey(bytes: bytes + device.prefix(16)) }
}

package enum SignInVerdict: Equatable, Sendable {
  case granted
  case blocked(retryAfter: Int)
  /// 100 failures in a row: only a reset opens it again.
  case disabled
}

/// The limit of a message that its recipient did not ask for: of all such messages, and of those of its kind. The first
/// of each kind in a day goes out in any case, so that a flood of one kind keeps no other one from the reader. An
/// unproven contact has no such exception: its reader may have nothing to do with the account.
package struct NoticeLimit: Sendable, Equatable {
  package let all: Reservation
  package let ofKind: Reservation
  package let isProven: Bool

  package init(all: Reservation, ofKind: Reservation, isProven: Bool) {
    self.all = all
    self.ofKind = ofKind
    self.isProven = isProven
  }
}
