import CResolver
import GatehouseIdentity

/// TXT records by the C library's resolver, on threads off the loops. A question takes three seconds at most, an answer
/// has at most 4096 bytes (RFC 1035, RFC 6891).
package struct SystemTextRecords: TextRecords {
  /// One resolver, in place of those of the machine.
  package struct Resolver: Sendable {
    let address: String
    let port: UInt16

    /// `address` is IPv4, in numbers.
    package init(address: String, port: UInt16) {
      self.address = address
      self.port = port
    }
  }

  private static let answerSize = 4096
  private let resolver: Resolver?
  private let threads = BlockingThreads<Void>(name: "names", count: 4, limit: 4) {}

  package init(_ resolver: Resolver? = nil) { self.resolver = resolver }

  package func texts(at name: String) async throws -> [[UInt8]] {
    let answer = await threads.run { [resolver] _ -> Result<[UInt8], TextRecordError> in
      var bytes = [UInt8](repeating: 0, count: Self.answerSize)
      let count = resolver_texts(name, resolver?.address, resolver?.port ?? 0, &bytes, bytes.count)
      switch count {
      case 0...: return .success(Array(bytes.prefix(count)))
      case Int(RESOLVER_TOO_LARGE): return .failure(.tooLarge)
      case Int(RESOLVER_MALFORMED): return .failure(.malformed)
      default: return .failure(.noAnswer)
      }
    }
    guard let answer else { throw TextRecordError.busy }
    return Self.records(try answer.get())
  }

  /// Each text behind its length in two bytes.
  private static func records(_ bytes: [UInt8]) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    var rest = bytes[...]
    while rest.count >= 2 {
      let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
      texts.append(Array(rest.dropFirst(2).prefix(length)))
      rest = rest.dropFirst(2 + length)
    }
    return texts
  }
}
