public import Foundation

/// The place where the session is kept. A store keeps small records by name, and changes each atomically among all
/// processes that share it.
///
/// A store answers nil only for a record that certainly does not exist: that answer signs a person out. Where that
/// cannot be known now, it throws `StoreError.unavailable`.
public protocol SecureStore: Sendable {
  /// The record of this name; nil where there certainly is none.
  func read(_ key: String) throws(StoreError) -> Data?

  /// Replaces the record by what `change` makes of it (nil where there is none). A nil result removes the record. No
  /// other process writes in between. The call returns what is stored now.
  func update(_ key: String, _ change: @Sendable (Data?) -> Data?) throws(StoreError) -> Data?
}

/// The reason for which a store gave no answer.
public enum StoreError: Error, Sendable, Hashable {
  /// The store cannot be read or written now: a locked device, a full disk, a lock that another process holds.
  case unavailable
  /// The system refused with this status (`OSStatus`), such as that of a locked key chain. It counts as unavailable.
  case refused(status: Int32)
  /// The app was built without the right to a key chain. That does not pass by itself.
  case notEntitled
  /// No process can read the stored data any more.
  case damaged
}

extension StoreError {
  /// `errSecMissingEntitlement`.
  private static let missingEntitlement: Int32 = -34018

  /// The error for a status of the key chain that is no success.
  init(keychainStatus status: Int32) {
    self = status == Self.missingEntitlement ? .notEntitled : .refused(status: status)
  }
}

/// Keeps records in memory: for tests, and for apps that want no session to outlive them.
public final class MemoryStore: SecureStore {
  private let records = Locked<[String: Data]>([:])

  /// An empty store.
  public init() {}

  /// The record of this name.
  public func read(_ key: String) throws(StoreError) -> Data? { records.withLock { $0[key] } }

  /// Replaces the record.
  public func update(_ key: String, _ change: @Sendable (Data?) -> Data?) throws(StoreError) -> Data? {
    records.withLock { records in
      let new = change(records[key])
      records[key] = new
      return new
    }
  }
}
