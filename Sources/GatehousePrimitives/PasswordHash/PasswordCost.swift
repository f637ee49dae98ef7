/// The cost of one argon2id hash: memory, and passes over it, on one lane (RFC 9106). Time grows with their product.
package struct PasswordCost: Sendable, Equatable {
  /// KiB of memory for one hash.
  package let memory: UInt32
  /// Passes over it.
  package let passes: UInt32

  /// The bounds of a stored hash, so that a row can not take all memory or all time: 8 KiB to 256 MiB, 1 to 16 passes.
  package static let memoryBounds: ClosedRange<UInt32> = 8...262_144
  package static let passBounds: ClosedRange<UInt32> = 1...16

  /// The minimum of OWASP's Password Storage Cheat Sheet for argon2id on one lane: 19 MiB, two passes.
  package static let owaspMinimum = PasswordCost(memory: 19456, passes: 2)

  /// Values beyond the bounds become the nearest bound: a hash beyond them is not recognised once it is stored.
  package init(memory: UInt32, passes: UInt32) {
    self.memory = min(max(memory, Self.memoryBounds.lowerBound), Self.memoryBounds.upperBound)
    self.passes = min(max(passes, Self.passBounds.lowerBound), Self.passBounds.upperBound)
  }

  /// KiB that one hash goes through.
  var work: UInt64 { UInt64(memory) * UInt64(passes) }

  /// The cost of a hash that does what is left of this one's work after `done`, at most 15 KiB more, in no more memory;
  /// `nil` where nothing is left.
  func rest(after done: UInt64) -> PasswordCost? {
    guard done < work else { return nil }
    let left = work - done
    // As few passes as this memory takes: 1 to `passes`.
    let passes = (left + UInt64(memory) - 1) / UInt64(memory)
    return PasswordCost(memory: UInt32((left + passes - 1) / passes), passes: UInt32(passes))
  }
}
