import CIDN2

extension DomainName {
  /// The domain as people read it: each label in Unicode where IDNA 2008 allows it and its letters are of one script,
  /// and as `xn--…` where they are not. `name` is in the form of `ascii`, and is the ASCII form of the answer.
  package static func shown(_ name: String) -> String {
    guard name.utf8.count <= 253, name.hasPrefix("xn--") || name.contains(".xn--") else { return name }
    return name.split(separator: ".", omittingEmptySubsequences: false).map(shownLabel).joined(separator: ".")
  }

  /// The address as people read it; its domain is in the form of `ascii`.
  package static func shown(inAddress address: String) -> String {
    guard let at = address.utf8.lastIndex(of: UInt8(ascii: "@")) else { return address }
    let domain = address.index(after: at)
    return address[..<domain] + shown(String(address[domain...]))
  }

  private static func shownLabel(_ label: Substring) -> String {
    let label = String(label)
    guard label.hasPrefix("xn--") else { return label }
    var output: UnsafeMutablePointer<CChar>?
    // SAFETY: the input ends with NUL; the library allocates the output, which is freed below.
    guard idn2_to_unicode_8z8z(label, &output, 0) == IDN2_OK.rawValue, let output else { return label }
    defer { idn2_free(output) }
    let shown = String(cString: output)
    // GUARD: domain: letters of one script
    guard Script.isOne(shown) else { return label }
    // What is shown can be typed: it is the same domain.
    guard ascii(shown) == label else { return label }
    return shown
  }
}
