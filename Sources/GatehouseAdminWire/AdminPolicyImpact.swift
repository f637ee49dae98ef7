package import GatehouseWire

// What a policy would mean for all stored users, page by page.

/// One rule or requirement of the candidate, and how many meet it.
package struct ImpactRule: Codable, Hashable, Sendable {
  /// Its id.
  package var rule: String
  /// Where it stands in the file.
  package var line: Int
  /// `enforce`, `warn` or `off`, on the day asked about.
  package var stage: String
  /// So many meet it.
  package var passing: Int
  /// So many break it.
  package var failing: Int
  /// Only a hash is stored of what it is about.
  package var unknown: Int
  /// Addresses of some who break it; none without the scope `user:read`.
  package var samples: [String]
  /// Of these: who do not break the live policy's rule of this id.
  package var newlyFailing: Int

  package init(
    rule: String, line: Int, stage: String, passing: Int, failing: Int, newlyFailing: Int, unknown: Int,
    samples: [String]
  ) {
    self.rule = rule
    self.line = line
    self.stage = stage
    self.passing = passing
    self.failing = failing
    self.newlyFailing = newlyFailing
    self.unknown = unknown
    self.samples = samples
  }
}

/// Users who would fall from full access to limited, or lose their last way to sign in.
package struct ImpactLoss: Codable, Hashable, Sendable {
  /// So many.
  package var people: Int
  /// Of these: seen within 30 days.
  package var active: Int
  /// Of these: administrators of the tenant.
  package var admins: Int
  /// Addresses of some of them; none without the scope `user:read`.
  package var samples: [String]
  /// Of these: without any way to sign in. Absent in answers of servers that did not count them.
  package var shutOut: Int?

  package init(people: Int, active: Int, admins: Int, shutOut: Int?, samples: [String]) {
    (self.people, self.active, self.admins, self.shutOut, self.samples) = (people, active, admins, shutOut, samples)
  }
}

/// A field that the candidate does not have, and how many users have a value of it.
package struct ImpactLeftover: Codable, Hashable, Sendable {
  /// Its name.
  package var field: String
  /// So many have one.
  package var people: Int

  package init(field: String, people: Int) { (self.field, self.people) = (field, people) }
}

/// A rename of a field, and the stored values that would move.
package struct ImpactRename: Codable, Hashable, Sendable {
  /// The new name.
  package var field: String
  /// The former name.
  package var renamedFrom: String
  /// So many users have a value under the former name.
  package var people: Int
  /// Of these: so many have one under the new name as well, which stays.
  package var filled: Int
  /// Of these: so many have a value that the field refuses. It stays under the former name.
  package var refused: Int

  package init(field: String, renamedFrom: String, people: Int, filled: Int, refused: Int) {
    (self.field, self.renamedFrom) = (field, renamedFrom)
    (self.people, self.filled, self.refused) = (people, filled, refused)
  }
}

/// The state of the passwords of users seen within 30 days, as their sign-ins measured it.
package struct ImpactPasswords: Codable, Hashable, Sendable {
  /// Measured, and they comply.
  package var complying: Int
  /// Measured, and they do not.
  package var breaking: Int
  /// Not measured.
  package var notMeasured: Int

  package init(complying: Int, breaking: Int, notMeasured: Int) {
    (self.complying, self.breaking, self.notMeasured) = (complying, breaking, notMeasured)
  }
}

/// Users who need a second factor under a policy file.
package struct ImpactFactors: Codable, Hashable, Sendable {
  /// Users with a factor that meets every demand.
  package var having: Int
  /// Users who would have limited access until they add one, which each of them can.
  package var asked: Int
  /// Of those who are asked: administrators.
  package var admins: Int

  package init(having: Int, asked: Int, admins: Int) {
    (self.having, self.asked, self.admins) = (having, asked, admins)
  }
}

/// Users and their passkeys under a policy file.
package struct ImpactPasskeys: Codable, Hashable, Sendable {
  /// Users with a passkey.
  package var having: Int
  /// Of these: with one that can be synced between devices.
  package var synced: Int
  /// Users who would be offered one.
  package var offered: Int
  /// Users with one of another relying party than the file's, and than its `rp_id_from`.
  package var elsewhere: Int
  /// Users who have none but of `rp_id_from`, which prove until its day.
  package var former: Int
  /// Users whose only way in is a passkey that would prove no more.
  package var lost: Int

  package init(having: Int, synced: Int, offered: Int, elsewhere: Int, former: Int, lost: Int) {
    (self.having, self.synced, self.offered) = (having, synced, offered)
    (self.elsewhere, self.former, self.lost) = (elsewhere, former, lost)
  }
}

/// The effect of a policy file on all stored users. One answer takes seconds at most: send the same again with `cursor`
/// until there is no `next_cursor`; the last answer counts all users.
package enum PolicyImpactOperation: AdminOperation {
  package static let row = AdminOperationRow(
    .post, "/tenants/{tenant}/policy/impact", .policyRead, "Measure a policy file against all stored users")

  package struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    package var tenant: String
    /// The policy file's exact text.
    package var text: String
    /// The name of the file in messages.
    package var file: String?
    /// Judge by the stages of this day, `YYYY-MM-DD`, 00:00 UTC; otherwise as of the day when every dated stage is on.
    package var at: String?
    /// Judge so many users before this answer, 1 to 50000.
    package var limit: Int?
    /// The `next_cursor` of the previous answer.
    package var cursor: String?
    /// Judge some thousands of users, drawn by chance, and no others: an estimate, in one answer.
    package var sample: Bool?

    package init(
      tenant: String, text: String, file: String? = nil, at: String? = nil, limit: Int? = nil, cursor: String? = nil,
      sample: Bool? = nil
    ) {
      self.sample = sample
      (self.tenant, self.text, self.file, self.at, self.limit, self.cursor) = (tenant, text, file, at, limit, cursor)
    }
  }

  package struct Output: Codable, Hashable, Sendable {
    /// The live revision that the file is compared with.
    package var revision: Int
    /// When the file is judged.
    package var instant: Timestamp
    /// The number of users at the beginning.
    package var total: Int
    /// The number of users judged so far.
    package var people: Int
    /// Of these: seen within 30 days.
    package var active: Int
    /// In the order of the file, access last.
    package var rules: [ImpactRule]
    /// Users who would lose full access.
    package var loss: ImpactLoss
    /// Users who would keep full access.
    package var keeping: Int
    /// Users who would gain full access.
    package var gaining: Int
    /// Users whose next sign-in would carry a warning.
    package var prompted: Int
    /// The state of passwords, as far as it is known.
    package var passwords: ImpactPasswords
    /// The users who need a second factor; absent where there is none.
    package var factors: ImpactFactors?
    /// The users and their passkeys; absent where neither policy has passkeys.
    package var passkeys: ImpactPasskeys?
    /// Fields that the file does not have, with those who have a value; absent where there is none.
    package var leftovers: [ImpactLeftover]?
    /// Renames that the live policy does not have, with the values that would move; absent where there is none.
    package var renames: [ImpactRename]?
    /// The reasons for which the file would not be applied, in sentences: with the first answer, where there are any.
    package var notes: [String]?
    /// Whether the users were drawn by chance: `people` of `total`. Absent where all are judged.
    package var sampled: Bool?
    /// The `cursor` of the next page; absent on the last page.
    package var nextCursor: String?

    package init(
      revision: Int, instant: Timestamp, total: Int, people: Int, active: Int, rules: [ImpactRule], loss: ImpactLoss,
      keeping: Int, gaining: Int, prompted: Int, passwords: ImpactPasswords, nextCursor: String? = nil
    ) {
      self.revision = revision
      self.instant = instant
      self.total = total
      self.people = people
      self.active = active
      self.rules = rules
      self.loss = loss
      self.keeping = keeping
      self.gaining = gaining
      self.prompted = prompted
      self.passwords = passwords
      self.nextCursor = nextCursor
    }
  }
}
