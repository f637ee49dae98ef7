import Foundation

/// Normalization Form C (Unicode Standard Annex 15). Of ASCII every text is in it, and looking for that costs a
/// fraction of normalising.
func nfc(_ text: String) -> String {
  text.utf8.allSatisfy { $0 < 0x80 } ? text : text.precomposedStringWithCanonicalMapping
}
