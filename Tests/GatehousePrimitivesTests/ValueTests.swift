import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite struct SecretTests {
  @Test("a secret shows nothing of itself however it is printed")
  func printing() {
    let secret = Secret("hunter2")
    var dumped = ""
    dump(secret, to: &dumped)
    dump(["key": secret], to: &dumped)
    let texts = ["\(secret)", String(describing: secret), String(reflecting: secret), "\([secret])", dumped]
    for text in texts { #expect(!text.contains("hunter2")) }
    #expect(secret.expose { $0 } == "hunter2")
    let bytes = Secret("hunter2".bytes)
    #expect(!"\(bytes) \(String(reflecting: [bytes]))".contains("104"))
    #expect("\(["hunter2"])".contains("hunter2"))  // the control
  }

  @Test("the wipe leaves only zeroes")
  func wiping() {
    // That it runs when the last copy goes can not be seen in good order: the memory is gone by then.
    var array = [UInt8](repeating: 7, count: 64)
    Secret<[UInt8]>.wipe(&array)
    #expect(array == [UInt8](repeating: 0, count: 64))
  }
}

@Suite struct BytesTests {
  @Test(
    "base64url gives the texts of RFC 4648, without padding",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(text: String, encoded: String) {
    #expect(Base64URL.encode(text.bytes) == encoded)
    #expect(Base64URL.decode(encoded) == text.bytes)
  }

  @Test(
    "T067 padding, junk, the other alphabet, odd lengths and loose last bits are refused",
    arguments: ["Zg==", "Zm8=", "Zh", "Zm9", "Z", "Zm9vY", "Zm 9v", "Zm9v\n", "+/+/", "Zm9v\0", "Zg\u{301}", "Ｚg"])
  func refusedBase64(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test("any bytes survive base64url and hex, and each text is the only one of its bytes")
  func roundTrip() {
    var generator = SeededGenerator()
    for count in 0..<200 {
      let bytes = generator.bytes(count)
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
      #expect(Hex.decode(Hex.encode(bytes)) == bytes)
      let junk = String(decoding: generator.bytes(count).map { 0x2B + $0 % 80 }, as: UTF8.self)
      if let read = Base64URL.decode(junk) { #expect(Base64URL.encode(read) == junk) }
    }
    #expect(Hex.decode("0") == nil && Hex.decode("0g") == nil && Hex.decode("AbCd") == [0xAB, 0xCD])
  }
}

@Suite struct UUIDTests {
  @Test("the text form is Foundation's in lower case, and is read in either case")
  func text() {
    for uuid in (0..<1000).map({ _ in UUID.random() }) {
      #expect(uuid.text == uuid.uuidString.lowercased())
      #expect(UUID(text: uuid.text) == uuid && UUID(text: uuid.uuidString) == uuid)
    }
  }

  @Test(
    "nothing else is a UUID's text",
    arguments: [
      "", "01920000-0000-7000-8000-00000000000", "01920000-0000-7000-8000-0000000000001",
      "01920000-0000-7000-8000-00000000000g", "01920000-0000-7000-80000-00000000000",
      "019200000-000-7000-8000-000000000001",
      "01920000000070008000000000000001", "{1920000-0000-7000-8000-00000000000}",
      " 1920000-0000-7000-8000-000000000001",
      "01920000_0000_7000_8000_000000000001", "01920000-0000-7000-8000-0000000000é1",
      "+1920000-0000-7000-8000-000000000001",
    ])
  func otherText(text: String) { #expect(UUID(text: text) == nil) }

  @Test("a version 4 UUID says its version, and no two are alike")
  func random() {
    let made = (0..<1000).map { _ in UUID.random() }
    #expect(Set(made).count == 1000 && made.allSatisfy { $0.bytes[6] >> 4 == 4 && $0.bytes[8] >> 6 == 2 })
    // All other bits come both ways.
    let ever = made.reduce([UInt8](repeating: 0, count: 16)) { zip($0, $1.bytes).map { $0 | $1 } }
    let always = made.reduce([UInt8](repeating: 255, count: 16)) { zip($0, $1.bytes).map { $0 & $1 } }
    #expect(ever == [255, 255, 255, 255, 255, 255, 0x4F, 255, 0xBF] + [UInt8](repeating: 255, count: 7))
    #expect(always == [0, 0, 0, 0, 0, 0, 0x40, 0, 0x80] + [UInt8](repeating: 0, count: 7))
  }

  @Test(
    "a version 7 UUID holds its time and says its version", arguments: [0, 1, 1_645_557_742_000, 281_474_976_710_655])
  func time(milliseconds: Int64) {
    let uuid = UUIDSequence().next(milliseconds: milliseconds)
    #expect(uuid.bytes[..<6].reduce(0) { $0 << 8 | Int64($1) } == milliseconds)
    #expect(uuid.bytes[6] >> 4 == 7 && uuid.bytes[8] >> 6 == 2)
    #expect(UUID(bigEndian: uuid.bytes[...]) == uuid)
  }

  @Test("times out of range are clamped, and no two are alike")
  func clamped() {
    let sequence = UUIDSequence()
    #expect(sequence.next(milliseconds: -5).bytes[..<6].allSatisfy { $0 == 0 })
    #expect(sequence.next(milliseconds: .max).bytes[..<6].allSatisfy { $0 == 255 })
    // Two that begin at the same moment count from numbers of their own.
    let (one, other) = (UUIDSequence(), UUIDSequence())
    #expect(Set((0..<500).flatMap { _ in [one.next(milliseconds: 1), other.next(milliseconds: 1)] }).count == 1000)
    #expect(UUID(bigEndian: [1]) == nil)
  }

  @Test("those of one millisecond sort in the order in which they were made")
  func order() {
    for _ in 0..<20 {
      let sequence = UUIDSequence()
      let made = (0..<2000).map { sequence.next(milliseconds: 1_645_557_742_000 + Int64($0 / 700)).bytes }
      #expect(zip(made, made.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
      // And all keep their time, version and variant.
      #expect(made.allSatisfy { $0[6] >> 4 == 7 && $0[8] >> 6 == 2 })
    }
  }
}

@Suite struct NetworkAddressTests {
  @Test(
    "T030 addresses are read, IPv4 in IPv6 is folded",
    arguments: [
      ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
      ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::", "::"), ("::1", "::1"),
    ])
  func reading(text: String, canonical: String) {
    #expect(NetworkAddress(text)?.text == canonical)
  }

  @Test(
    "T030 any other text is not an address",
    arguments: [
      "", "192.0.2", "192.0.2.256", "192.0.2.01", "0x7f.1", "1", "192.0.2.1:80", "[::1]", "fe80::1%eth0", " ::1",
      "::1\0", "a", "1.2.3.4, 5.6.7.8",
    ])
  func refused(text: String) {
    #expect(NetworkAddress(text) == nil)
  }

  @Test("T030 IPv4 is counted by address, IPv6 by its first 64 bits")
  func counting() throws {
    func key(_ text: String) throws -> [UInt8] { try #require(NetworkAddress(text)).countingKey }
    #expect(try key("192.0.2.1") == key("::ffff:192.0.2.1"))
    #expect(try key("192.0.2.1") != key("192.0.2.2"))
    #expect(try key("2001:db8::1") == key("2001:db8::ffff:ffff:ffff:ffff"))
    #expect(try key("2001:db8::1") != key("2001:db8:0:1::1"))
  }

  @Test(
    "blocks hold their addresses and no others",
    arguments: [
      ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
      ("192.0.2.128/25", "192.0.2.127", false), ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false),
      ("::/0", "1.2.3.4", false), ("2001:db8::/33", "2001:db8:8000::", false), ("127.0.0.1", "127.0.0.1", true),
      ("127.0.0.1", "127.0.0.2", false),
    ])
  func blocks(block: String, address: String, holds: Bool) throws {
    #expect(try #require(NetworkBlock(block)).contains(try #require(NetworkAddress(address))) == holds)
  }

  @Test(
    "broken blocks are refused",
    arguments: ["10.0.0.1/8", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/08", "/8", "10.0.0.0/-1", "::/129", "10.0.0.0/8/8"])
  func brokenBlocks(text: String) {
    #expect(NetworkBlock(text) == nil)
  }
}

@Suite struct PhoneNumberTests {
  @Test(
    "valid numbers give their international form and region",
    arguments: [
      ("(785) 532-6011", "US", "+17855326011", "US"), ("+44 20 7946 0958", "US", "+442079460958", "GB"),
      ("785.532.6011", "US", "+17855326011", "US"),
    ])
  func valid(text: String, region: String, e164: String, home: String) {
    let number = PhoneNumber(text, region: region)
    #expect(number?.e164 == e164 && number?.region == home && number?.isValid == true && number?.isPossible == true)
  }

  @Test(
    "a number of a range that the library does not know is possible, and of no certain region",
    arguments: ["+1 227 532 6011", "+1 942 555 0123"])
  func unassigned(text: String) {
    let number = PhoneNumber(text, region: "US")
    #expect(number?.isPossible == true && number?.isValid == false && number?.region == nil)
  }

  @Test(
    "a number without an area code, and one of the wrong length, is not possible", arguments: ["555-0123", "785532601"])
  func impossible(text: String) { #expect(PhoneNumber(text, region: "US")?.isPossible == false) }

  @Test("an extension is told", arguments: ["785-532-6011 x123", "785-532-6011 ext. 5", "tel:+17855326011;ext=5"])
  func extended(text: String) {
    let number = PhoneNumber(text, region: "US")
    #expect(number?.e164 == "+17855326011" && number?.hasExtension == true)
    #expect(PhoneNumber("785-532-6011", region: "US")?.hasExtension == false)
  }

  @Test(
    "other texts are refused",
    arguments: ["", "hello", "785\u{0}5326011", String(repeating: "1", count: 65)])
  func refused(text: String) {
    #expect(PhoneNumber(text, region: "US") == nil)
  }

  @Test("regions are two capital letters that the library knows")
  func regions() {
    #expect(PhoneNumber.knows(region: "US") && PhoneNumber.knows(region: "DE"))
    for region in ["us", "XX", "USA", "", "U\0"] { #expect(!PhoneNumber.knows(region: region)) }
  }
}

@Suite struct DomainNameTests {
  @Test(
    "domain names become their ASCII form",
    arguments: [
      ("KSU.edu", "ksu.edu"), ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.example", "xn--bcher-kva.example"),
      ("bu\u{308}cher.example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de"),
      ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
      ("ｋｓｕ．ｅｄｕ", "ksu.edu"),
    ])
  func ascii(text: String, name: String) {
    #expect(DomainName.ascii(text) == name)
  }

  @Test(
    "other names are refused",
    arguments: [
      "", ".", ".edu", "ksu.edu.", "ksu..edu", "-a.b", "a-.b", "a_b.c", "a b.c", "a\0.b", "a@b.c", "a＠b.c", "a＿b.c",
      "a／b.c", "a℀b.c", "a\u{AD}..b", "xn--a.example",
      String(repeating: "a", count: 64) + ".b", String(repeating: "a.", count: 127) + "ab", "a/b",
      String(repeating: "a", count: 2000),
    ])
  func refused(text: String) {
    #expect(DomainName.ascii(text) == nil)
  }
}

@Suite struct PasswordStrengthTests {
  @Test("well known passwords score 0, long random ones 4")
  func scores() {
    #expect(PasswordStrength.score("") == 0)
    #expect(PasswordStrength.score("password") == 0)
    #expect(PasswordStrength.score("123456") == 0)
    #expect(PasswordStrength.score("x7!Qz0#vLp2@Wk9$") == 4)
    #expect(PasswordStrength.score("correct horse battery staple") == 4)
  }

  @Test("words that an attacker knows weaken a password, in any case")
  func words() {
    let free = PasswordStrength.score("gatehousewillie")
    #expect(PasswordStrength.score("gatehousewillie", words: ["Gatehouse", "WILLIE"]) < free)
  }

  @Test("odd input neither traps nor takes long")
  func odd() {
    for text in [
      String(repeating: "a", count: 100_000), "abc\0def", "😀😀😀😀", "\u{1}\u{7F}", String(repeating: "1qaz", count: 500),
    ] {
      #expect((0...4).contains(PasswordStrength.score(text, words: [text, "", "\0"])))
    }
    let many = (0..<10_000).map { "word\($0)" }
    #expect((0...4).contains(PasswordStrength.score("password", words: many)))
  }

  @Test("many threads get the scores that one gets")
  func threads() async {
    let passwords = (0..<40).map { "Tr0ub4dor&\($0)" } + ["qwerty", "zxcvbn", "2026-11-20"]
    let alone = passwords.map { PasswordStrength.score($0, words: ["trouble"]) }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { passwords.map { PasswordStrength.score($0, words: ["trouble"]) } == alone } }
      for await same in group { #expect(same) }
    }
  }
}

@Suite struct PasswordListTests {
  private static func shipped(_ name: String) throws -> PasswordList {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try PasswordList(Array(try Data(contentsOf: root.appendingPathComponent("config/lists/\(name).list"))))
  }

  @Test("T007 the shipped lists are large and hold the common passwords", arguments: ["common", "breached"])
  func members(name: String) throws {
    let list = try PasswordListTests.shipped(name)
    #expect(list.count >= 10_000)
    for known in ["123456", "password", "qwerty", "12345678", "Password", "QWERTY"] { #expect(list.contains(known)) }
    let free = [
      "kt49xw", "kt49x", "Kq7!vmTz", "kq7!vmtz", "KQ7!VMTZ", "Kqx!vmTz", "Kq7xvmTz", "TestPass123!", "Wildcats1x", "",
      "123456 and a long phrase around it", " 123456", "correct horse battery staple",
    ]
    for other in free { #expect(!list.contains(other), "\(other)") }
  }

  /// A list as `make.py` makes it.
  private static func made(_ passwords: [String], width: Int = 10) -> [UInt8] {
    let entries = passwords.map { Array(SHA256.digest($0)[..<width]) }.sorted { $0.lexicographicallyPrecedes($1) }
    return "GHPL".bytes + [1, UInt8(width)] + UInt32(entries.count).bigEndianBytes + entries.joined()
  }

  @Test("every entry is found, whole and in lower case, nothing else", arguments: [0, 1, 2, 3, 100])
  func search(count: Int) throws {
    let passwords = (0..<count).map { "secret\($0)é" }
    let list = try PasswordList(PasswordListTests.made(passwords))
    #expect(list.count == count)
    for password in passwords {
      #expect(list.contains(password) && list.contains(password.uppercased()))
      #expect(list.contains(password.decomposedStringWithCanonicalMapping))
      #expect(!list.contains(password + "x") && !list.contains("x" + password))
    }
  }

  @Test("broken files are refused")
  func broken() {
    let good = PasswordListTests.made(["a", "b", "c"])
    #expect(throws: Never.self) { try PasswordList(good) }
    for count in good.indices { #expect(throws: PasswordListError.self) { try PasswordList(Array(good[..<count])) } }
    #expect(throws: PasswordListError.wrongLength) { try PasswordList(good + [0]) }
    var swapped = good
    swapped[10..<20] = good[20..<30]
    swapped[20..<30] = good[10..<20]
    #expect(throws: PasswordListError.notSorted(entry: 1)) { try PasswordList(swapped) }
    var twice = good
    twice[20..<30] = good[10..<20]
    #expect(throws: PasswordListError.notSorted(entry: 1)) { try PasswordList(twice) }
    #expect(throws: PasswordListError.wrongLength) { try PasswordList(PasswordListTests.made(["a"], width: 4)) }
    #expect(throws: PasswordListError.wrongLength) { try PasswordList("GHPL".bytes + [1, 32, 255, 255, 255, 255]) }
  }
}

@Suite struct DomainListTests {
  @Test("a listed domain and its subdomains are found, nothing else, whatever the line's case, blanks and letters")
  func subdomains() throws {
    let list = try DomainList("# services\r\n\n  Trash.Example \r\nbücher.example\n\tmail.other.example\n".bytes)
    #expect(list.count == 3)
    for domain in [
      "trash.example", "a.trash.example", "a.b.trash.example", "xn--bcher-kva.example", "mail.other.example",
    ] {
      #expect(list.contains(domain), "\(domain)")
    }
    for domain in ["mytrash.example", "example", "trash.example.com", "other.example", "", ".", "trash.example."] {
      #expect(!list.contains(domain), "\(domain)")
    }
    #expect(!list.contains(String(repeating: "a.", count: 100_000) + "trash.example"))
  }

  @Test(
    "a damaged list is refused, with its line",
    arguments: [
      ("", DomainListError.empty), ("# nothing\n", .empty), ("a.example\ncom\n", .notADomain(line: 2)),
      ("a.example b.example", .notADomain(line: 1)), ("a@b.example", .notADomain(line: 1)),
      ("\n*.b.example", .notADomain(line: 2)), (".a.example", .notADomain(line: 1)),
      ("a..example", .notADomain(line: 1)),
    ])
  func broken(text: String, error: DomainListError) {
    #expect(throws: error) { try DomainList(text.bytes) }
    #expect(throws: DomainListError.notText) { try DomainList(text.bytes + [0xFF]) }
  }

  @Test("the shipped list is in order, without repetition, and has well-known domains")
  func shipped() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let bytes = Array(try Data(contentsOf: root.appendingPathComponent("config/lists/disposable.txt")))
    let list = try DomainList(bytes)
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines == lines.sorted() && lines.count == list.count)
    for known in ["mailinator.com", "guerrillamail.com", "10minutemail.com", "yopmail.com", "temp-mail.org"] {
      #expect(list.contains(known))
    }
    for mail in ["gmail.com", "outlook.com", "icloud.com", "ksu.edu", "proton.me"] { #expect(!list.contains(mail)) }
  }
}
