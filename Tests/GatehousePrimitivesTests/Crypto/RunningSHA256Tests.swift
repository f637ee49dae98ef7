import GatehousePrimitives
import Testing

@Suite struct RunningSHA256Tests {
  @Test("the digest of pieces is that of the whole, however it was cut")
  func pieces() throws {
    let whole = (0..<5000).map { UInt8(truncatingIfNeeded: $0) }
    for size in [1, 63, 64, 65, 4999, 5000] {
      let running = try RunningSHA256()
      var rest = whole[...]
      while !rest.isEmpty {
        try running.add(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      #expect(try running.digest() == SHA256.digest(whole))
    }
    #expect(try RunningSHA256().digest() == SHA256.digest(""))
  }
}
