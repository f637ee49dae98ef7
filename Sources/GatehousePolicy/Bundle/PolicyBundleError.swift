/// The reason for which bytes are no bundle that this version reads.
public enum PolicyBundleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// They are no JSON object: cut off, or another file.
  case unreadable
  /// The bundle is of another format; nil where it names none.
  case format(String?)
  /// The bundle has a key that this version does not know.
  case unknownKey(String)
  /// The bundle lacks a key.
  case missing(String)
  /// A value is not of the form of its key.
  case unexpected(String, expected: String)

  /// The reason as a sentence, with the place.
  public var description: String {
    switch self {
    case .unreadable: "The bundle is no JSON object: it may be cut off. \(Self.advice)"
    case .format(nil): "The file is no bundle: it has no key \"bundle\". \(Self.advice)"
    case .format(let name?):
      "The bundle has the format \"\(name)\", and this version reads \"\(Policy.bundleFormat)\". \(Self.advice)"
    case .unknownKey(let path): "The bundle has the unknown key \"\(path)\". \(Self.advice)"
    case .missing(let path): "The bundle lacks the key \"\(path)\". \(Self.advice)"
    case .unexpected(let path, let expected): "\"\(path)\" of the bundle is not \(expected). \(Self.advice)"
    }
  }

  private static let advice = "Write it anew with `gatehouse policy bundle` of the version that reads it."
}
