import Testing

@testable import GatehousePrimitives

@Suite struct OpaqueTokenTests {
  @Test("a token is read back by its kind and by no other", arguments: 0..<OpaqueToken.Kind.all.count)
  func kinds(index: Int) {
    let kind = OpaqueToken.Kind.all[index]
    let token = OpaqueToken.generate(kind)
    let text = token.text.expose { $0 }
    #expect(text.hasPrefix(kind.prefix) && text.utf8.count == kind.prefix.utf8.count + 43)
    #expect(token.digest.count == 32)
    for other in OpaqueToken.Kind.all {
      #expect(OpaqueToken.digest(of: text, kind: other) == (other == kind ? token.digest : nil))
    }
  }

  @Test("the kinds have different prefixes")
  func prefixes() {
    #expect(Set(OpaqueToken.Kind.all.map(\.prefix)).count == OpaqueToken.Kind.all.count)
  }

  @Test("T077 no truncation, extension, case change or bit flip finds the same row")
  func changes() {
    let token = OpaqueToken.generate(.refresh)
    let text = token.text.expose { $0.bytes }
    func digest(_ bytes: [UInt8]) -> [UInt8]? {
      String(validating: bytes, as: UTF8.self).flatMap { OpaqueToken.digest(of: $0, kind: .refresh) }
    }
    #expect(digest(text) == token.digest)
    for count in 0..<text.count { #expect(digest(Array(text[..<count])) == nil) }
    for tail in ["=", "A", " ", "\n", "\0", "\r\n", "\u{301}"] { #expect(digest(text + tail.bytes) == nil) }
    #expect(digest([0x20] + text) == nil)
    for index in text.indices {
      for bit in 0..<8 {
        var changed = text
        changed[index] ^= 1 << bit  // bit 5 is the case of a letter
        #expect(digest(changed) != token.digest)
      }
    }
    #expect(OpaqueToken.digest(of: "", kind: .refresh) == nil)
  }

  @Test("no two tokens are alike")
  func unique() {
    #expect(Set((0..<1000).map { _ in OpaqueToken.generate(.flow).digest }).count == 1000)
  }
}

@Suite struct NumericCodeTests {
  let pepper = MACKey.random()

  @Test("T033 a code has six digits, leading zeroes included, and every digit occurs at every place")
  func digits() {
    var seen = [Set<UInt8>](repeating: [], count: 6)
    for _ in 0..<2000 {
      let text = NumericCode.generate().text.expose { $0.bytes }
      #expect(text.count == 6 && text.allSatisfy { (0x30...0x39).contains($0) })
      for (place, digit) in text.enumerated() { seen[place].insert(digit) }
    }
    #expect(seen.allSatisfy { $0.count == 10 })
  }

  @Test("T033 a code is bound to everything around it")
  func binding() throws {
    let code = try #require(NumericCode(digits: "012345"))
    let context: [[UInt8]] = ["tenant".bytes, "flow".bytes, "purpose".bytes, "a@example.com".bytes]
    let digest = code.digest(pepper: pepper, context: context)
    #expect(code.digest(pepper: pepper, context: context) == digest)
    for index in context.indices {
      var other = context
      other[index].append(0)
      #expect(code.digest(pepper: pepper, context: other) != digest)
    }
    #expect(code.digest(pepper: pepper, context: ["tenantf".bytes, "low".bytes] + context[2...]) != digest)
    #expect(code.digest(pepper: MACKey.random(), context: context) != digest)
    #expect(try #require(NumericCode(digits: "012346")).digest(pepper: pepper, context: context) != digest)
  }

  @Test(
    "T040 six digits of ASCII are a code, and no other text is",
    arguments: ["", "12345", "1234567", "12345a", "+12345", "１２３４５６", "12345\0", "123456\n", "123 456", "------"])
  func refused(text: String) {
    #expect(NumericCode(digits: "012345")?.text.expose { $0 } == "012345")
    #expect(NumericCode(digits: text) == nil)
  }
}
