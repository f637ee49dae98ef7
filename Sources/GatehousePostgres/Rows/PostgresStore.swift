import Foundation
package import GatehouseIdentity

/// The store on PostgreSQL.
package struct PostgresStore: Store {
  let database: Database
  private let budgets: BudgetWatch
  private let clock: Clock

  /// - Parameters:
  ///   - database: logged in as the server's role.
  ///   - budgets: is told what is counted against limits of whole tenants.
  package init(_ database: Database, budgets: BudgetWatch = BudgetWatch(), clock: Clock = .system) {
    self.database = database
    self.budgets = budgets
    self.clock = clock
  }

  package func open(_ tenant: TenantID) -> any TenantStore {
    PostgresTenantStore(database: database, tenant: tenant, budgets: budgets, clock: clock)
  }
}

/// One tenant's part: every batch sets the tenant, and row-level security shows nothing else.
struct PostgresTenantStore: TenantStore {
  let database: Database
  let tenant: TenantID
  let budgets: BudgetWatch
  let clock: Clock

  func read(_ statement: SQL) async throws -> Rows {
    try await translating { try await database.read(tenant.uuid, statement) }
  }

  /// Deadlocks took everything back and may be tried again; so may nothing else.
  func write(_ statements: [SQL], flushed: Flush = .beforeAnswer) async throws -> [Rows] {
    try await translating {
      for _ in 0..<3 {
        do {
          return try await database.write(tenant.uuid, statements, flushed: flushed)
        } catch let error as DatabaseError where error.isRetryable {
          continue
        }
      }
      return try await database.write(tenant.uuid, statements, flushed: flushed)
    }
  }

  func commit(_ changes: [Change], as authority: Authority) async throws {
    let (statements, counting) = Change.statements(of: changes)
    guard !statements.isEmpty else { return }
    let demands = AuthorityRows.demands(of: authority)
    let answers = try await write(demands + statements)
    for case .answer(.keep(let claim, _, _)) in changes { claim.settle() }
    for place in counting { try noteBudgets(place.reservations, answers[demands.count + place.index]) }
  }

  /// Remembers what a statement of `LimitRows.reserve` counted against limits of the whole tenant.
  func noteBudgets(_ reservations: [Reservation], _ answer: Rows) throws {
    guard reservations.contains(where: { $0.budget != nil }) else { return }
    let counted = try answer.read { columns in
      let (name, count, end): (String, Int, Date) = (try columns.next(), try columns.next(), try columns.next())
      columns.skipRest()
      return (name: name, count: count, end: end)
    }
    for (name, count, end) in counted {
      guard let most = reservations.first(where: { $0.name == name })?.budget else { continue }
      budgets.note(
        BudgetWatch.Level(tenant: tenant, name: name, used: count, most: most, endsAt: end), at: clock.now)
    }
  }
}

/// Runs a call and says what went wrong in the store's words.
func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
  do {
    return try await body()
  } catch let error as DatabaseError {
    throw StoreError(error) ?? error
  }
}

extension StoreError {
  /// Nil for errors that only a defect can cause; they go up as they are.
  fileprivate init?(_ error: DatabaseError) {
    switch error {
    case .guardFailed(let name):
      guard let known = StoreError(guardName: name) else { return nil }
      self = known
    case .server("23505", "account_email_unique", _): self = .emailTaken
    case .server("23505", "provider_identity_person", _): self = .refused(.identityIsFree)
    case .server("23505", "policy_revision_pkey", _): self = .refused(.revisionIsCurrent)
    case .server("23505", "floor_revision_pkey", _): self = .refused(.floorIsCurrent)
    case .server("23505", _, _): self = .exists
    case .server("23503", "refresh_token_session", _): self = .refused(.sessionIsLive)
    case .server("23503", _, _): self = .refused(.accountExists)
    // A retry may succeed, and nothing has happened yet.
    case .server where error.isRetryable: self = .unavailable
    case .overloaded: self = .overloaded
    case .unavailable, .readOnly, .timeout: self = .unavailable
    case .unknownOutcome: self = .unknownOutcome
    case .server(let state, _, _) where DatabaseError.impairments.contains(state.prefix(2)):
      self = .impaired(state: state)
    case .server, .unexpectedRow: return nil
    }
  }

  /// The guard of an address that an account left and may come back to.
  static let addressIsReserved = "address_is_reserved"

  /// Guards are named `condition`, `field_taken:FIELD` or `limited:NAME:SECONDS`.
  private init?(guardName: String) {
    if let condition = Condition(rawValue: guardName) {
      self = .refused(condition)
    } else if guardName == StoreError.addressIsReserved {
      self = .emailTaken
    } else if guardName.hasPrefix("field_taken:") {
      self = .fieldTaken(String(guardName.dropFirst("field_taken:".count)))
    } else if guardName.hasPrefix("limited:"), let colon = guardName.lastIndex(of: ":") {
      let name = guardName[..<colon].dropFirst("limited:".count)
      self = .limited(name: String(name), retryAfter: max(1, Int(guardName[colon...].dropFirst()) ?? 1))
    } else {
      return nil
    }
  }
}

extension SQL {
  /// A statement that must touch exactly one row, or the condition does not hold and nothing of the batch happens.
  /// `change` ends with a RETURNING clause.
  static func requiring(_ condition: StoreError.Condition, _ change: SQL) -> SQL {
    "WITH done AS (\(change)) SELECT \(.require("(SELECT count(*) FROM done) = 1", condition))"
  }

  /// An expression that takes the whole batch back where the condition does not hold. The caller is told so by its
  /// name.
  static func require(_ condition: SQL, _ name: StoreError.Condition) -> SQL { require(condition, "\(name.rawValue)") }

  /// The same with a name that the statement makes. Where the condition holds, which is nearly always, no function is
  /// called.
  static func require(_ condition: SQL, _ name: SQL) -> SQL {
    "CASE WHEN (\(condition)) IS NOT TRUE THEN gatehouse.require(false, \(name)) END"
  }
}
