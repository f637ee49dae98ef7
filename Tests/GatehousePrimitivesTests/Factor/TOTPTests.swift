import Foundation
import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("One-time passwords of authenticator apps") struct TOTPTests {
  private static let seed = Secret("12345678901234567890".bytes)

  private static func moment(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  /// RFC 4226, appendix D.
  static let counted = [
    "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
  ]

  @Test("the codes of RFC 4226 are given", arguments: counted.indices)
  func hotp(counter: Int) { #expect(TOTP.code(seed: Self.seed, step: Int64(counter)) == Self.counted[counter]) }

  /// RFC 6238, appendix B: seconds, and the codes under SHA-1, SHA-256 and SHA-512.
  static let timed: [(Double, String, String, String)] = [
    (59, "94287082", "46119246", "90693936"), (1_111_111_109, "07081804", "68084774", "25091201"),
    (1_111_111_111, "14050471", "67062674", "99943326"), (1_234_567_890, "89005924", "91819424", "93441116"),
    (2_000_000_000, "69279037", "90698825", "38618901"), (20_000_000_000, "65353130", "77737706", "47863826"),
  ]

  @Test("T103 the codes of RFC 6238 are given under each hash function", arguments: timed.indices)
  func totp(index: Int) {
    let (seconds, sha1, sha256, sha512) = Self.timed[index]
    let digits = Array(repeating: "1234567890", count: 7).joined()
    let codes = zip(TOTP.HashFunction.allCases, [20, 32, 64]).map { hash, size in
      let seed = Secret(String(digits.prefix(size)).bytes)
      return TOTP.code(seed: seed, step: TOTP.step(at: Self.moment(seconds)), digits: 8, hash: hash)
    }
    #expect(codes == [sha1, sha256, sha512])
  }

  @Test("a step has 30 seconds, before 1970 as well", arguments: [(-1.0, -1), (0, 0), (29.999, 0), (30, 1), (59, 1)])
  func steps(seconds: Double, step: Int64) { #expect(TOTP.step(at: Self.moment(seconds)) == step) }

  @Test("the code of the step of now and that of the one before match, and no other", arguments: -3...3)
  func window(offset: Int64) throws {
    let now = Self.moment(2_000_000_000)
    let step = TOTP.step(at: now) + offset
    let code = try #require(NumericCode(digits: TOTP.code(seed: Self.seed, step: step)))
    #expect(TOTP.matchingStep(code, seed: Self.seed, at: now) == ([0, -1].contains(offset) ? step : nil))
  }

  @Test("the code of another seed does not match")
  func otherSeed() throws {
    let now = Self.moment(2_000_000_000)
    let code = try #require(NumericCode(digits: TOTP.code(seed: Self.seed, step: TOTP.step(at: now))))
    #expect(TOTP.matchingStep(code, seed: Secret("12345678901234567891".bytes), at: now) == nil)
  }

  @Test("a seed has 160 bits, and no two are the same")
  func seeds() {
    let seeds = (0..<100).map { _ in TOTP.makeSeed().expose { $0 } }
    #expect(Set(seeds).count == 100 && seeds.allSatisfy { $0.count == 20 })
  }

  @Test("oathtool gives the same codes for random seeds and times")
  func oathtool() throws {
    var random = SeededGenerator()
    let cases = (0..<40).map { _ in
      (random.bytes(TOTP.seedSize), Double(UInt32.random(in: 0 ... .max, using: &random)))
    }
    let lines = cases.map { "\(Base32.encode($0.0)) \(Int($0.1))" }.joined(separator: "\n")
    let outcome = try Python.run(
      """
      import subprocess, sys
      for line in sys.stdin:
          seed, seconds = line.split()
          subprocess.run(["oathtool", "--totp", "--base32", "--now", "@" + seconds, seed], check=True)
      """, input: lines + "\n")
    let ours = cases.map { TOTP.code(seed: Secret($0.0), step: TOTP.step(at: Self.moment($0.1))) }
    #expect(outcome.output.split(separator: "\n").map(String.init) == ours, "\(outcome.errors)")
  }
}
