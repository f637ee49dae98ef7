import CPlatform

/// One comparison (or hash) of a name that came from outside. Debug builds count them, so that a test can hold a parser
/// to linear work; in a release nothing is left of it.
@inline(__always)
func noteComparison() {
  #if DEBUG
    platform_note_comparison()
  #endif
}
