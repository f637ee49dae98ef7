import GatehousePrimitives
import GatehouseRuntime

/// The name of one request in answers and logs.
enum RequestID {
  /// The caller's own when it is 8 to 64 letters, digits, `-`, `_` or `.`; a fresh one otherwise.
  static func of(_ request: Request) -> String {
    if let given = request.headers.single("x-request-id"), (8...64).contains(given.utf8.count),
      given.utf8.allSatisfy({ isPlain($0) })
    {
      return given
    }
    return Hex.encode(SecureRandom.bytes(12))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
    default: false
    }
  }
}
