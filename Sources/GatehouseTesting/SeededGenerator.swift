import Foundation

/// Random numbers of a property test: the same seed, the same test again (SplitMix64).
///
/// A run without a seed in `GATEHOUSE_SEED` always takes the same one, so that a red test says something about the
/// change and not about the day; `GATEHOUSE_SEED=$RANDOM script/test` looks further.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed of this run, for the message of a test that fails.
  package static let seed =
    ProcessInfo.processInfo.environment["GATEHOUSE_SEED"].flatMap { UInt64($0) } ?? 20_261_121

  private var state: UInt64

  package init(seed: UInt64 = SeededGenerator.seed) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// `count` random bytes.
  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
