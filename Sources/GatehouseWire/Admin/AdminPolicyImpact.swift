// What a policy would mean for all stored users, page by page.

/// One rule or requirement of the candidate, and how many meet it.
public struct ImpactRule: Codable, Hashable, Sendable {
  /// Its id.
  public var rule: String
  /// Where it stands in the file.
  public var line: Int
  /// `enforce`, `warn` or `off`, on the day asked about.
  public var stage: String
  /// So many meet it.
  public var passing: Int
  /// So many break it.
  public var failing: Int
  /// Of these: who do not break the live policy's rule of this id.
  public var newlyFailing: Int
  /// Only a hash is stored of what it is about.
  public var unknown: Int
  /// Addresses of some who break it; none without the scope `user:read`.
  public var samples: [String]

  /// The whole of it.
  public init(
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

  enum CodingKeys: String, CodingKey {
    case rule, line, stage, passing, failing, unknown, samples
    case newlyFailing = "newly_failing"
  }
}

/// People who would fall from full access to limited, or lose their last way to sign in.
public struct ImpactLoss: Codable, Hashable, Sendable {
  /// So many.
  public var people: Int
  /// Of these: seen within 30 days.
  public var active: Int
  /// Of these: administrators of the tenant.
  public var admins: Int
  /// Of these: without any way to sign in. Absent in answers of servers that did not count them.
  public var shutOut: Int?
  /// Addresses of some of them; none without the scope `user:read`.
  public var samples: [String]

  /// The whole of it.
  public init(people: Int, active: Int, admins: Int, shutOut: Int?, samples: [String]) {
    self.people = people
    self.active = active
    self.admins = admins
    self.shutOut = shutOut
    self.samples = samples
  }

  enum CodingKeys: String, CodingKey {
    case people, active, admins, samples
    case shutOut = "shut_out"
  }
}

/// What sign-ins found out about the passwords of those seen within 30 days.
public struct ImpactPasswords: Codable, Hashable, Sendable {
  /// Measured, and they comply.
  public var complying: Int
  /// Measured, and they do not.
  public var breaking: Int
  /// Not measured.
  public var notMeasured: Int

  /// The whole of it.
  public init(complying: Int, breaking: Int, notMeasured: Int) {
    self.complying = complying
    self.breaking = breaking
    self.notMeasured = notMeasured
  }

  enum CodingKeys: String, CodingKey {
    case complying, breaking
    case notMeasured = "not_measured"
  }
}

/// What a policy file would mean for all stored users. One answer takes seconds at most: send the same again with
/// `cursor` until there is no `next_cursor`; the last answer counts all users.
public enum PolicyImpactOperation: AdminOperation {
  /// POST.
  public static let method = Method.post
  /// Where it lives.
  public static let path = "/tenants/{tenant}/policy/impact"
  /// What a token must allow.
  public static let scope = AdminScope.policyRead
  /// What it does.
  public static let summary = "Measure a policy file against everybody stored"

  /// What it takes.
  public struct Input: Codable, Hashable, Sendable {
    /// The tenant's name.
    public var tenant: String
    /// The policy file's exact text.
    public var text: String
    /// What messages call the file.
    public var file: String?
    /// Judge by the stages of this day, `YYYY-MM-DD`, 00:00 UTC; otherwise as of the day when every dated stage is on.
    public var at: String?
    /// Judge so many people before this answer, 1 to 50000.
    public var limit: Int?
    /// Where to go on: the `next_cursor` of the answer before.
    public var cursor: String?

    /// The whole of it.
    public init(
      tenant: String, text: String, file: String? = nil, at: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) {
      self.tenant = tenant
      self.text = text
      self.file = file
      self.at = at
      self.limit = limit
      self.cursor = cursor
    }
  }

  /// What it answers.
  public struct Output: Codable, Hashable, Sendable {
    /// The live revision that the file is compared with.
    public var revision: Int
    /// When the file is judged.
    public var instant: Timestamp
    /// How many people there were at the beginning.
    public var total: Int
    /// How many are judged so far.
    public var people: Int
    /// Of these: seen within 30 days.
    public var active: Int
    /// In the order of the file, access last.
    public var rules: [ImpactRule]
    /// Who would lose full access.
    public var loss: ImpactLoss
    /// Who would keep it.
    public var keeping: Int
    /// Who would come to it.
    public var gaining: Int
    /// Whose next sign-in would carry a warning.
    public var prompted: Int
    /// What is known of passwords.
    public var passwords: ImpactPasswords
    /// What would keep the file from being applied, in sentences: with the first answer, where there is anything.
    public var notes: [String]?
    /// What to send as `cursor` for the items after these; absent with the last ones.
    public var nextCursor: String?

    /// The whole of it.
    public init(
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

    enum CodingKeys: String, CodingKey {
      case revision, instant, total, people, active, rules, loss, keeping, gaining, prompted, passwords, notes
      case nextCursor = "next_cursor"
    }
  }
}
