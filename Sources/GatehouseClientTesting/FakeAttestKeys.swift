public import Foundation
public import GatehouseClient

/// Keys of App Attest in memory, which a `FakeServer` takes for genuine. A real server refuses them.
///
///     var settings = FakeServerSettings()
///     settings.attestedDoors = ["sign_up", "sign_in"]
///     let server = FakeServer(settings: settings)
///     var configuration = server.configuration()
///     configuration.attest = AppAttest(keys: FakeAttestKeys())
public final class FakeAttestKeys: AttestKeys, @unchecked Sendable {
  private let lock = NSLock()
  // Read and written under the lock alone.
  private var isSupportedNow = true
  private var failure: AttestKeyError?
  private var counters: [String: UInt32] = [:]
  private var attested: Set<String> = []

  /// A device without keys.
  public init() {}

  /// Whether this device has such keys.
  public var isSupported: Bool {
    get { lock.withLock { isSupportedNow } }
    set { lock.withLock { isSupportedNow = newValue } }
  }

  /// Makes each call fail while it is there.
  public var failing: AttestKeyError? {
    get { lock.withLock { failure } }
    set { lock.withLock { failure = newValue } }
  }

  /// The number of keys of this installation.
  public var count: Int { lock.withLock { counters.count } }

  /// Loses every key, as a device that is restored does, or an app that is installed anew.
  public func restoreDevice() { lock.withLock { (counters, attested) = ([:], []) } }

  /// Makes a key.
  public func makeKey() async throws(AttestKeyError) -> String {
    try perform { keys throws(AttestKeyError) in
      let key = Data("key \(UUID().uuidString)".utf8).base64EncodedString()
      keys.counters[key] = 0
      return key
    }
  }

  /// Attests a new key, once.
  public func attest(_ key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
    try perform { keys throws(AttestKeyError) in
      guard keys.counters[key] != nil, keys.attested.insert(key).inserted else { throw .keyInvalid }
      return FakeSignature(key: key, counter: 0, hash: clientDataHash).data
    }
  }

  /// Signs the hash.
  public func assertion(by key: String, over clientDataHash: Data) async throws(AttestKeyError) -> Data {
    try perform { keys throws(AttestKeyError) in
      guard let last = keys.counters[key], keys.attested.contains(key) else { throw .keyInvalid }
      keys.counters[key] = last + 1
      return FakeSignature(key: key, counter: last + 1, hash: clientDataHash).data
    }
  }

  private func perform<Value>(_ body: (FakeAttestKeys) throws(AttestKeyError) -> Value) throws(AttestKeyError) -> Value
  {
    lock.lock()
    defer { lock.unlock() }
    guard isSupportedNow else { throw .unsupported }
    if let failure { throw failure }
    return try body(self)
  }
}

/// The form of an attestation and of an assertion here.
struct FakeSignature: Codable, Equatable {
  var key: String
  var counter: UInt32
  var hash: Data

  var data: Data { (try? JSONEncoder().encode(self)) ?? Data() }
}
