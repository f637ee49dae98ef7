import CCrypto

/// A value that must not be seen by accident: it prints as `Secret(…)` in `print`, string interpolation, `dump` and the
/// debugger, it is not `Codable` and not `Equatable`. `expose` is the only way in, and easy to search for.
///
/// Byte arrays are overwritten when the last copy of the secret goes away, as long as no other code kept the array.
/// Strings cannot be overwritten in Swift; keep long-lived secrets as bytes.
package struct Secret<Value: Sendable>: Sendable {
  private let storage: SecretStorage<Value>

  /// Hides `value`.
  package init(_ value: Value) {
    storage = SecretStorage(value, wipe: nil)
  }

  /// The value, for the length of `body`.
  package func expose<Answer, Failure: Error>(
    _ body: (Value) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try body(storage.value)
  }
}

extension Secret where Value == [UInt8] {
  /// Hides `bytes`, which are overwritten with zeroes when the last copy of this secret goes away.
  package init(_ bytes: [UInt8]) {
    storage = SecretStorage(bytes, wipe: Secret.wipe)
  }

  static func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { buffer in
      // SAFETY: base and count come from the same buffer. OPENSSL_cleanse is not removed by the optimiser.
      if let base = buffer.baseAddress { OPENSSL_cleanse(base, buffer.count) }
    }
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always the same text; never the value.
  package var description: String { "Secret(…)" }
  /// Always the same text; never the value.
  package var debugDescription: String { "Secret(…)" }
  /// Nothing to see.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

/// `@unchecked`: `value` changes only in `deinit`, when no other code can see it.
private final class SecretStorage<Value: Sendable>: @unchecked Sendable, CustomReflectable {
  private(set) var value: Value
  private let wipe: (@Sendable (inout Value) -> Void)?

  init(_ value: Value, wipe: (@Sendable (inout Value) -> Void)?) {
    self.value = value
    self.wipe = wipe
  }

  deinit { wipe?(&value) }

  var customMirror: Mirror { Mirror(self, children: []) }
}
