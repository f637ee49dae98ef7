/// One parser of bytes from outside, and what must hold whatever the bytes are. The fuzzer runs it with bytes it makes
/// up; the tests run it with the corpus and with changed copies of it.
struct FuzzTarget: Sendable {
  /// Also the name of its folder in the corpus.
  let name: String
  /// What is wrong with how these bytes were read; nil if everything holds. A trap ends the process that runs it.
  let check: @Sendable ([UInt8]) -> String?

  /// One line for each parser. Another protocol gets its own file beside the others and a line here.
  static let all = [
    head, chunks, http2, proxyHeader, forwarded, cookies, json, form, token, claims, keySet, cbor, policy, picture,
    base32, authenticatorData, clientData,
  ]

  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

extension [UInt8] {
  /// The bytes in two pieces, at a place that depends on them.
  var halves: [ArraySlice<UInt8>] {
    let cut = isEmpty ? 0 : reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF } % (count + 1)
    return [self[..<cut], self[cut...]]
  }

  /// Every byte a piece of its own.
  var singles: [ArraySlice<UInt8>] { indices.map { self[$0...$0] } }
}
