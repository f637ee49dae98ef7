/// The language of a page, as the kit is told it.
struct PageLanguage: Sendable, Equatable {
  /// The tag, for the `lang` attribute.
  let tag: String
  /// The language's own name.
  let name: String
  /// Whether its lines run from right to left.
  let isMirrored: Bool
}
