import Foundation

/// The lists and policies of this working copy.
package enum TestLists {
  /// The package's root.
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path

  package static let names = ["common", "breached", "disposable"]

  /// The text of `policies/NAME.yaml`.
  package static func policy(_ name: String) throws -> String {
    try String(contentsOfFile: "\(root)/policies/\(name).yaml", encoding: .utf8)
  }
}
