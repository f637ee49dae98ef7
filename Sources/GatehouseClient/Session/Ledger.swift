import Foundation

/// The record in memory and in the store. Both change by the same functions, in the same order: a change that the store
/// did not take is repeated on the record that another process has stored since.
struct Ledger {
  typealias Change = @Sendable (inout StoredRecord) -> Void

  private let store: any SecureStore
  private let key: String
  /// The record as of the last look, with every change of this process.
  private(set) var record = StoredRecord()
  /// Changes that the store has not taken.
  private var unsaved: [Change] = []

  init(_ store: any SecureStore, key: String) {
    self.store = store
    self.key = key
  }

  /// Whether the store has everything.
  var isSaved: Bool { unsaved.isEmpty }

  /// Looks at the store again. Data that is no record of ours counts as a session that expired.
  mutating func load() throws(StoreError) {
    let data: Data?
    do {
      data = try store.read(key)
    } catch .damaged {
      data = Data()
    } catch {
      throw error  // GUARD: client: an unavailable store is not empty
    }
    record = Self.read(data)
    for change in unsaved { change(&record) }
  }

  /// Changes the record here and, if it can be, in the store. Returns whether the store took it.
  @discardableResult
  mutating func change(_ change: @escaping Change) -> Bool {
    do {
      try write(unsaved + [change])
      return true
    } catch {
      change(&record)
      unsaved.append(change)
      return false
    }
  }

  /// Changes the record in the store and here, or not at all.
  mutating func changeStored(_ change: @escaping Change) throws(StoreError) { try write(unsaved + [change]) }

  /// Tries again to bring to the store what it has not taken.
  mutating func save() throws(StoreError) { if !isSaved { try write(unsaved) } }

  private mutating func write(_ changes: [Change]) throws(StoreError) {
    let stored = try store.update(key) { data in
      var record = Self.read(data)
      for change in changes { change(&record) }
      return record.data ?? data
    }
    record = Self.read(stored)
    unsaved = []
  }

  private static func read(_ data: Data?) -> StoredRecord {
    guard let data else { return StoredRecord() }
    if let record = StoredRecord(data) { return record }
    var record = StoredRecord()
    record.reason = .expired
    return record
  }
}
