import GatehousePolicy

/// Where two policies differ in what they trust: paths of the canonical form, found by the keys of the language and
/// the values alone. No list of settings is kept here, so that no change of trust is missed for want of a line.
enum TrustPaths {
  /// The paths at which the values differ and the key is trust. A map that one side lacks is one path.
  static func differing(_ old: Policy, _ new: Policy) -> [[String]] {
    differing(.object(old.canonical), .object(new.canonical), at: [])
  }

  private static func differing(_ old: JSONText?, _ new: JSONText?, at path: [String]) -> [[String]] {
    guard let before = members(old), let after = members(new) else {
      return old?.sorted != new?.sorted && isTrust(path) ? [path] : []
    }
    let names = Set(before.keys).union(after.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return names.flatMap { differing(before[$0], after[$0], at: path + [$0]) }
  }

  private static func members(_ value: JSONText?) -> [String: JSONText]? {
    guard case .object(let members)? = value else { return nil }
    return Dictionary(members, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a path is trust: a key on the way to it is, or, where the language has no key of that name there, any key
  /// below the last one that it has.
  static func isTrust(_ path: [String]) -> Bool {
    var shape = Shape.map(PolicyKeys.file)
    for name in path {
      switch shape {
      case .map(let map):
        guard let key = map.key(name) else { return holdsTrust(shape) }
        if key.isTrust { return true }
        shape = key.shape
      case .dictionary(let dictionary): shape = dictionary.value
      default: return holdsTrust(shape)
      }
    }
    return holdsTrust(shape)
  }

  /// Whether a key below a shape is trust.
  static func holdsTrust(_ shape: Shape) -> Bool {
    switch shape {
    case .map(let map): map.keys.contains { $0.isTrust || holdsTrust($0.shape) }
    case .dictionary(let dictionary): holdsTrust(dictionary.value)
    case .list(let member, _): holdsTrust(member)
    case .either(let shapes): shapes.contains(where: holdsTrust)
    default: false
    }
  }
}

extension Changes {
  /// Marks the lines that are about trust, and adds one for each change of trust that has no line of its own.
  func markTrust(_ paths: [[String]]) {
    var told = Set<[String]>()
    for index in found.indices {
      let subject = found[index].subject.split(separator: ".").map(String.init)
      let meant = paths.filter { $0.starts(with: subject) || subject.starts(with: $0) }
      guard !meant.isEmpty else { continue }
      found[index].isTrust = true
      told.formUnion(meant)
    }
    for path in paths where !told.contains(path) {
      add(path.joined(separator: "."), .incomparable, "\(path.joined(separator: ".")) changed", isTrust: true)
    }
  }
}
