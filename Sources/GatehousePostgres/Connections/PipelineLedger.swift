/// The results that a pipelined connection still owes, in the order of their queries. A state machine without I/O: it
/// is told what arrived and says what is finished.
struct PipelineLedger<Work> {
  /// The meaning of one result.
  enum Event {
    case rows(Rows)
    case failure(DatabaseError)
    case aborted
    case endOfStatement
    case sync
    /// Something that no statement of ours can cause, as COPY.
    case unexpected
  }

  enum Outcome {
    case done([Rows])
    case failed(DatabaseError)
    /// The server committed, or said it did, but the standby did not confirm.
    case doubtful
    /// Answers and questions no longer match: the connection must be dropped.
    case broken
  }

  struct Entry {
    let work: Work
    let statements: Int
    var results: [Rows] = []
    var failure: DatabaseError?
    var isAborted = false
    var isDoubtful = false
    var isBroken = false

    var outcome: Outcome {
      if isBroken { return .broken }
      if let failure { return .failed(failure) }
      // INVARIANT: success means one result for every statement and no abort; nothing else is ever read as empty rows.
      if isAborted || results.count != statements { return .broken }
      return isDoubtful ? .doubtful : .done(results)
    }
  }

  private var entries: [Entry] = []
  private var head = 0

  var count: Int { entries.count - head }
  var isEmpty: Bool { count == 0 }
  /// Everything still owed, the oldest first.
  var owed: some Sequence<Work> { entries[head...].lazy.map(\.work) }

  mutating func append(_ work: Work, statements: Int) {
    entries.append(Entry(work: work, statements: statements))
  }

  /// Notes what arrived for the first entry; at its sync the entry is finished and handed out.
  mutating func receive(_ event: Event) -> Entry? {
    guard !isEmpty else { return nil }
    switch event {
    case .rows(let rows): entries[head].results.append(rows)
    case .failure(let failure): if entries[head].failure == nil { entries[head].failure = failure }
    case .aborted: entries[head].isAborted = true
    case .endOfStatement: break
    case .unexpected: entries[head].isBroken = true
    case .sync: return removeFirst()
    }
    return nil
  }

  /// Marks the first entry: a warning said that the wait for the standby was given up.
  mutating func markDoubtful() {
    if !isEmpty { entries[head].isDoubtful = true }
  }

  /// Fails the first entry that `matches`, before its own answer comes.
  mutating func fail(_ failure: DatabaseError, where matches: (Work) -> Bool) {
    for index in head..<entries.count where matches(entries[index].work) {
      if entries[index].failure == nil { entries[index].failure = failure }
      return
    }
  }

  /// Everything still owed, the oldest first; the ledger is empty afterwards.
  mutating func drain() -> [Work] {
    defer {
      entries = []
      head = 0
    }
    return entries[head...].map(\.work)
  }

  private mutating func removeFirst() -> Entry {
    let entry = entries[head]
    head += 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 256 {
      entries.removeFirst(head)
      head = 0
    }
    return entry
  }
}
