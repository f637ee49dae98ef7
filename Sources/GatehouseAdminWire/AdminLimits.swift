package import GatehouseWire

// The counters behind a tenant's limits, as operations of the admin API.

/// One counter that runs.
package struct LimitCount: Codable, Hashable, Sendable {
  /// The limit's name, as a refusal has it in `limit`.
  package var name: String
  /// The counted key: a keyed hash of an address or mailbox, `tenant`, or a user's id.
  package var key: String
  /// The present count.
  package var count: Int
  /// The greatest count that is allowed; absent for a limit that the live policy does not set.
  package var most: Int?
  /// When the count ends.
  package var endsAt: Timestamp

  package init(name: String, key: String, count: Int, most: Int? = nil, endsAt: Timestamp) {
    (self.name, self.key, self.count, self.most, self.endsAt) = (name, key, count, most, endsAt)
  }
}

/// A tenant's counters that run, in the order of their names and keys. Counters that a server keeps in its memory are
/// not among them.
package enum ListLimitsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/limits", .userRead, "List counts against limits")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Only this limit, as `sign_up_per_ip`.
    package var name: String?
    /// Only what is counted for this IP address, or for its /64.
    package var address: String?
    /// Only what is counted for this mailbox or user: an address, or a user's id.
    package var user: String?
    /// The greatest number of items.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?

    package init(
      tenant: String, name: String? = nil, address: String? = nil, user: String? = nil, limit: Int? = nil,
      cursor: String? = nil
    ) {
      self.tenant = tenant
      self.name = name
      self.address = address
      self.user = user
      self.limit = limit
      self.cursor = cursor
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// In the order of names and keys.
    package var items: [LimitCount]
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(items: [LimitCount], nextCursor: String? = nil) { (self.items, self.nextCursor) = (items, nextCursor) }
  }
}

/// The counters of one limit together: how many parties it counts, and how many of them are refused.
package struct LimitSum: Codable, Hashable, Sendable {
  /// The limit's name, as a refusal has it in `limit`.
  package var name: String
  /// The key of the policy file that sets it; absent for a limit of the server's own.
  package var policyKey: String?
  /// The parties that it counts apart: `network`, `tenant`, `account`, `recipient` or `code`.
  package var party: String
  /// The number of parties with a count.
  package var counted: Int
  /// The number of parties that are at the limit.
  package var exhausted: Int
  /// The highest count of one party.
  package var highest: Int
  /// The greatest count that is allowed; absent for a limit that the live policy does not set.
  package var most: Int?
  /// The user's id, where one account alone is at the limit.
  package var user: String?
  /// When the last count of a party at the limit ends, or the last of all where none is at it.
  package var endsAt: Timestamp

  package init(
    name: String, policyKey: String? = nil, party: String, counted: Int, exhausted: Int, highest: Int,
    most: Int? = nil, user: String? = nil, endsAt: Timestamp
  ) {
    (self.name, self.policyKey, self.party) = (name, policyKey, party)
    (self.counted, self.exhausted, self.highest, self.most) = (counted, exhausted, highest, most)
    (self.user, self.endsAt) = (user, endsAt)
  }
}

/// A tenant's counters that run, summed up by limit, the limit that refuses most parties first. It names no address: a
/// party is told by its kind, for the keys are hashes.
package enum SumLimitsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .get, "/tenants/{tenant}/limits/summary", .userRead, "Sum up counts against limits")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// Only this limit, as `sign_up_per_ip`.
    package var name: String?

    package init(tenant: String, name: String? = nil) { (self.tenant, self.name) = (tenant, name) }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// One for each limit that counts something now.
    package var items: [LimitSum]

    package init(items: [LimitSum]) { self.items = items }
  }
}

/// Counts again from zero what the three members name together; one of them is required.
package enum ClearLimitsOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/limits/clear", .userWrite, "Count again from zero")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// This limit, as `sign_up_per_ip`.
    package var name: String?
    /// The IP address whose counts are meant, or an address of its /64.
    package var address: String?
    /// The mailbox or user whose counts are meant: an address, or a user's id.
    package var user: String?

    package init(tenant: String, name: String? = nil, address: String? = nil, user: String? = nil) {
      (self.tenant, self.name, self.address, self.user) = (tenant, name, address, user)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The number of counters that were set to zero: 10,000 at most, then call again.
    package var cleared: Int

    package init(cleared: Int) { self.cleared = cleared }
  }
}

/// Lets a user in again who is kept out by wrong passwords: what they wait for, and a password that is disabled.
package enum UnlockUserOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/users/{user}/unlock", .userWrite, "Forget a user's wrong passwords", status: 204)

  package typealias Input = UserReference
  package typealias Output = Nothing
}
