import Testing

@testable import GatehousePrimitives

@Suite struct PasswordTests {
  private let hashes = PasswordHashes(cost: .owaspMinimum)

  private func hash(_ text: String, at cost: PasswordCost = .owaspMinimum) throws -> String {
    var work: UInt64 = 0
    return try PasswordHashes(cost: cost).hash(try Password(text), counting: &work)
  }
  private func verify(_ text: String, _ stored: String?) throws -> PasswordVerdict {
    var work: UInt64 = 0
    return hashes.verify(try Password(text), against: stored, counting: &work)
  }
  private func matches(_ text: String, _ stored: String) throws -> Bool {
    try verify(text, stored) == .matches(needsRehash: false)
  }

  @Test(
    "T003 length is counted in code points after NFC",
    arguments: [
      (String(repeating: "\u{1F600}", count: 15), 15), ("abcdefghijklmne\u{301}", 15), ("", 0),
      ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦aa\u{1F3FD}", 17), ("\r\n", 2),
    ])
  func codePoints(text: String, count: Int) throws {
    #expect(try Password(text).codePoints == count)
  }

  @Test("T004 over 1024 bytes is refused, 1024 is not, in either normal form")
  func tooLong() {
    #expect(throws: Never.self) { try Password(String(repeating: "a", count: 1024)) }
    #expect(throws: PasswordError.tooLong) { try Password(String(repeating: "a", count: 1025)) }
    #expect(throws: Never.self) { try Password(String(repeating: "e\u{301}", count: 512)) }
    #expect(throws: PasswordError.tooLong) { try Password(String(repeating: "e\u{301}", count: 513)) }
    #expect(throws: PasswordError.tooLong) { try Password(String(repeating: "a", count: 5_000_000)) }
  }

  @Test("T005 spaces are kept and count")
  func spaces() throws {
    let stored = try hash(" pass word ")
    #expect(try matches(" pass word ", stored))
    for other in ["pass word", " pass word", "pass word ", " password "] { #expect(try !matches(other, stored)) }
  }

  @Test("T005 a hash of the form before RFC 8265 still matches, and asks for a new one")
  func earlierForm() throws {
    var work: UInt64 = 0
    let typed = "nbsp\u{A0}word"
    let (old, new) = (try hash(typed), try hash("nbsp word"))
    let password = try Password("nbsp word", typed: typed)
    #expect(hashes.verify(password, against: old, counting: &work) == .matches(needsRehash: true))
    #expect(hashes.verify(password, against: new, counting: &work) == .matches(needsRehash: false))
    #expect(hashes.verify(password, against: try hash("nbspword"), counting: &work) == .differs)
    #expect(try verify("nbsp word", old) == .differs)
  }

  @Test("T005 both forms are hashed where they differ, for an unknown account as for a known one")
  func earlierWork() throws {
    func work(_ password: Password, _ stored: String?) -> UInt64 {
      var work: UInt64 = 0
      _ = hashes.verify(password, against: stored, counting: &work)
      return work
    }
    let (same, differs) = (try Password("a b", typed: "a b"), try Password("a b", typed: "a\u{A0}b"))
    #expect(same.earlier == nil && differs.earlier != nil)
    let stored: [String?] = [nil, try hash("a b"), try hash("a\u{A0}b"), try hash("c"), "$2b$12$whatever"]
    for stored in stored { #expect(work(differs, stored) == 2 * work(same, nil)) }
    #expect(work(same, nil) == PasswordCost.owaspMinimum.work)
    #expect(!HashWork.verify(differs, stored: nil).isUsual(for: hashes))
    #expect(HashWork.verify(same, stored: nil).isUsual(for: hashes))
  }

  @Test("T009 NFD and NFC are one password, compatibility forms are another")
  func normalForms() throws {
    let stored = try hash("cafe\u{301} ﬁn")
    #expect(try matches("caf\u{E9} ﬁn", stored))
    #expect(try !matches("caf\u{E9} fin", stored))
  }

  @Test("T010 passwords that differ late are different", arguments: [72, 128, 255, 1023])
  func lateDifference(count: Int) throws {
    let start = String(repeating: "x", count: count)
    let stored = try hash(start + "a")
    #expect(try matches(start + "a", stored))
    #expect(try !matches(start + "b", stored))
    #expect(try !matches(start, stored))
  }

  @Test("T011 a NUL does not end a password")
  func nul() throws {
    let stored = try hash("abc\0x")
    #expect(try matches("abc\0x", stored))
    #expect(try !matches("abc\0y", stored))
    #expect(try !matches("abc", stored))
  }

  @Test("T012 a stored hash is PHC argon2id of 19 MiB and two passes, salted afresh")
  func stored() throws {
    let (one, other) = (try hash("same"), try hash("same"))
    #expect(one != other)
    let parsed = try #require(Argon2id.parse(one))
    #expect(parsed.cost.memory == 19456 && parsed.cost.passes == 2)
    #expect(parsed.salt.count == 16 && parsed.hash.count == 32)
    #expect(one.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
  }

  @Test("T013 a hash of other parameters verifies and needs a rehash")
  func rehash() throws {
    let stored = try hash("p", at: PasswordCost(memory: 64, passes: 3))
    #expect(try verify("p", stored) == .matches(needsRehash: true))
    #expect(try verify("q", stored) == .differs)
  }

  @Test("a hash of the reference implementation verifies")
  func reference() throws {
    let stored = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$ISO7kkvFzh19GM8qB7patN3C3Y9HHsjlVTfEZ9T600Y"
    #expect(try matches("correct horse battery staple", stored))
    #expect(try !matches("correct horse battery stapl", stored))
  }

  @Test("without an account the dummy is checked, which is of the current form and never matches")
  func dummy() throws {
    #expect(hashes.current.recognises(hashes.dummy) && !hashes.current.needsRehash(hashes.dummy))
    #expect(try verify("p", nil) == .differs)
    #expect(try verify("no password hashes to this", nil) == .differs)
    #expect(try verify("p", "$2b$12$whatever") == .unreadable)
  }

  static let good = "$argon2id$v=19$m=64,t=3,p=1$c29tZXNhbHRzb21lc2FsdA$ISO7kkvFzh19GM8qB7patN3C3Y9HHsjlVTfEZ9T600Y"

  @Test(
    "a stored hash in any other spelling or out of bounds is not recognised",
    arguments: [
      ("m=64", "m=7"), ("m=64", "m=262145"), ("m=64", "m=4294967360"), ("m=64", "m=064"), ("m=64", "m=-64"),
      ("m=64", "m=+64"), ("m=64", "m="), ("m=64", "n=64"), ("t=3", "t=0"), ("t=3", "t=17"), ("t=3", "t=9999999"),
      ("p=1", "p=2"), ("p=1", "p=1,k=1"), ("m=64,t=3", "t=3,m=64"), ("v=19", "v=16"), ("argon2id", "argon2i"),
      ("argon2id", "ARGON2ID"), ("c29tZXNhbHRzb21lc2FsdA", "c29tZXNhbHQ"), ("c29tZXNhbHRzb21lc2FsdA", ""),
      ("c29tZXNhbHRzb21lc2FsdA", "c29tZXNhbHRzb21lc2FsdB"), ("9T600Y", "9T600Y="), ("9T600Y", "9T600Z"), ("9T600Y", ""),
      ("9T600Y", "9T600Y$"), ("$argon2id", "argon2id"), ("$argon2id", " $argon2id"), ("9T600Y", "9T600Y\n"),
      ("c29t", "c2-t"),
    ])
  func strictness(part: String, replacement: String) {
    let changed = PasswordTests.good.replacing(part, with: replacement)
    #expect(changed != PasswordTests.good)
    #expect(Argon2id.parse(changed) == nil)
    #expect(Argon2id.parse(PasswordTests.good) != nil)
  }

  @Test("no two schemes claim the same hash, and each knows its own")
  func schemes() {
    for stored in [hashes.dummy, PasswordTests.good] {
      #expect(hashes.all.filter { $0.recognises(stored) }.count == 1)
    }
    #expect(Set(hashes.all.map(\.name)).count == hashes.all.count)
  }
}
