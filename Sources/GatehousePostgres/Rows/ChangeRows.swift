import GatehouseIdentity

extension Change {
  /// The reservations that one of the statements of a commit counts.
  typealias Counting = (index: Int, reservations: [Reservation])

  /// The statements of a commit. Its audit rows go together, behind all else; but a deletion finds, and makes nameless,
  /// what stands before it.
  static func statements(of changes: [Change]) -> (statements: [SQL], counting: [Counting]) {
    var statements: [SQL] = []
    var counting: [Counting] = []
    var trail: [AuditEntry] = []
    for change in changes {
      switch change {
      case .audit(let entry): trail.append(entry)
      case .user(.delete), .user(.setAside):
        statements += AuditRows.trail(trail) + change.statements
        trail = []
      case .limit(.reserve(let reservations)) where !reservations.isEmpty:
        counting.append((statements.count, reservations))
        statements += change.statements
      default: statements += change.statements
      }
    }
    return (statements + AuditRows.trail(trail), counting)
  }

  /// The statements of one change. Neither this switch nor one of those behind it has a default: a case that is not
  /// named does not compile. The tenant is nowhere in them: rows take it from the batch, and row-level security adds
  /// it to every condition.
  var statements: [SQL] {
    switch self {
    case .user(let change): UserRows.statements(of: change)
    case .session(let change): SessionRows.statements(of: change)
    case .device(let change): DeviceRows.statements(of: change)
    case .attest(let change): AttestRows.statements(of: change)
    case .provider(let change): ProviderRows.statements(of: change)
    case .factor(let change): FactorRows.statements(of: change)
    case .ticket(let change): TicketRows.statements(of: change)
    case .grant(let change): GrantRows.statements(of: change)
    case .code(let change): CodeRows.statements(of: change)
    case .limit(let change): LimitRows.statements(of: change)
    case .answer(let change): IdempotencyRows.statements(of: change)
    case .webhook(let change): WebhookRows.statements(of: change)
    case .audit(let entry): AuditRows.trail([entry])
    case .message(let change): OutboxRows.statements(of: change)
    case .backfill(let change): BackfillRows.statements(of: change)
    }
  }
}
