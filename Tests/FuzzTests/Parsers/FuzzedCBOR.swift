@testable import GatehousePrimitives

extension FuzzTarget {
  /// CBOR: what was read is the same bytes when it is written out, so no value has two writings; and no bytes make the
  /// verification of attestations trap or succeed.
  static let cbor = FuzzTarget(name: "cbor") { bytes in
    let key = fixedKey
    let app = AttestedApp(team: "0123456789", bundle: "com.example", isProduction: false)
    let hash = [UInt8](repeating: 0, count: 32)
    if let key, (try? AppAttest.counter(of: bytes, key: key, clientDataHash: hash, app: app)) != nil {
      return "an assertion that no key signed"
    }
    _ = AuthenticatorData.credential(of: bytes)
    guard let value = try? CBORParser.parse(bytes) else { return nil }
    return written(value) == bytes ? nil : "other bytes when it is written out"
  }

  private static let fixedKey = try? P256PrivateKey.generate().publicKey

  private static func written(_ value: CBORValue) -> [UInt8] {
    switch value {
    case .unsigned(let number): head(0, number)
    case .negative(let number): head(1, number)
    case .bytes(let bytes): head(2, UInt64(bytes.count)) + bytes
    case .text(let text): head(3, UInt64(text.utf8.count)) + Array(text.utf8)
    case .boolean(let value): [value ? 0xF5 : 0xF4]
    case .array(let items): head(4, UInt64(items.count)) + items.flatMap(written)
    case .map(let members):
      head(5, UInt64(members.count)) + members.flatMap { written($0.key) + written($0.value) }
    }
  }

  private static func head(_ kind: UInt8, _ number: UInt64) -> [UInt8] {
    let size = number < 24 ? 0 : number < 0x100 ? 1 : number < 0x1_0000 ? 2 : number < 0x1_0000_0000 ? 4 : 8
    let first: UInt8 = size == 0 ? UInt8(number) : [1: 24, 2: 25, 4: 26][size] ?? 27
    return [kind << 5 | first] + withUnsafeBytes(of: number.bigEndian) { Array($0.suffix(size)) }
  }
}
