import CPlatform

/// Comparisons of names that the parsers note in debug builds.
package enum Comparisons {
  /// Whether this build notes them.
  package static var areNoted: Bool {
    #if DEBUG
      true
    #else
      false
    #endif
  }

  /// How many `body` takes on this thread.
  package static func count(_ body: () throws -> Void) rethrows -> Int {
    let before = platform_comparisons()
    try body()
    return Int(platform_comparisons() - before)
  }

  /// Whether four times the work takes at most four and a half times the comparisons, and any at all.
  package static func areLinear(_ once: Int, _ fourTimes: Int) -> Bool { once > 0 && fourTimes * 2 <= once * 9 }
}
