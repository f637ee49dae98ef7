@testable import GatehouseRuntime

extension FuzzTarget {
  /// `Cookie` fields, a line each: the same value as a plain reading of them finds, and ours is found wherever it
  /// stands among what others set.
  static let cookies = FuzzTarget(name: "cookie") { bytes in
    guard bytes.count <= 16_384 else { return nil }
    let fields = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let name = "__Host-gh-app-verify"
    let read = { (fields: [String]) in Cookies(fields)[name].map { Array($0.utf8) } }
    let present = plainly(name, fields)
    if read(fields) != (Set(present).count == 1 ? present[0] : nil) { return "not what stands there" }
    let kept = Array("kept".utf8)
    let expected = present.allSatisfy { $0 == kept } ? kept : nil
    let mine = name + "=kept"
    for target in [fields + [mine], [mine] + fields, fields.map { $0 + "; " + mine }] where !target.isEmpty {
      if read(target) != expected { return "others hide ours, or are believed beside it" }
    }
    return nil
  }

  /// Every value of this name, by whole strings of bytes.
  private static func plainly(_ name: String, _ fields: [String]) -> [[UInt8]] {
    fields.flatMap { Array($0.utf8).split(separator: 0x3B) }.compactMap { pair in
      let parts = pair.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
      guard parts.count == 2, trimmed(parts[0]) == Array(name.utf8) else { return nil }
      return trimmed(parts[1])
    }
  }

  private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    return Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
