/// The key of this installation: its name, for the service of the device has the rest.
struct StoredAttestKey: Codable, Sendable, Equatable {
  var name: String
  /// A key is attested once. One that is not was made, and Apple's servers gave no answer yet.
  var isAttested: Bool
}

extension SessionKeeper {
  /// The key, if there is one.
  var attestKey: StoredAttestKey? { ledger.record.attestKey }

  /// Keeps a key in the place of the one before. It outlives sessions.
  func keep(attestKey key: StoredAttestKey) { change { $0.attestKey = key } }

  /// Forgets a key that is of no use. Another one stays.
  func forget(attestKey name: String) { change { if $0.attestKey?.name == name { $0.attestKey = nil } } }
}
