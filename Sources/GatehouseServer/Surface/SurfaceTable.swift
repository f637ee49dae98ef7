import GatehouseRuntime
import GatehouseWire

/// The surfaces of a listener as one table, by path.
struct SurfaceTable<Context: Sendable>: Sendable {
  /// An entry at a path.
  struct Match: Sendable {
    let entry: Entry<Context>
    let surface: any Surface<Context>
    let parameters: PathParameters
  }

  private let surfaces: [any Surface<Context>]
  private let byLength: [Int: [(entry: Entry<Context>, surface: any Surface<Context>)]]
  private let read: @Sendable (ArraySlice<UInt8>) -> String?

  /// `read` makes the value of a parameter of a segment. The last surface takes the paths that no other one claims.
  init(_ surfaces: [any Surface<Context>], read: @escaping @Sendable (ArraySlice<UInt8>) -> String?) {
    self.surfaces = surfaces
    self.read = read
    let rows = surfaces.flatMap { surface in surface.entries.map { (entry: $0, surface: surface) } }
    byLength = Dictionary(grouping: rows) { $0.entry.path.count }
  }

  /// The entries at a path, one match for each method; empty for an unknown path.
  func matches(_ path: PathSegments) -> [Match] {
    (byLength[path.count] ?? []).compactMap { row in
      row.entry.path.match(path, read).map { Match(entry: row.entry, surface: row.surface, parameters: $0) }
    }
  }

  /// The surface that refuses a path at which nothing is.
  func surface(claiming path: PathSegments) -> (any Surface<Context>)? {
    surfaces.first { $0.claims(path) } ?? surfaces.last
  }
}

/// The methods allowed at a path, in the form of an `Allow` field (RFC 9110 section 10.2.1).
enum AllowedMethods {
  static func text<Context>(_ entries: [Entry<Context>], isForScripts: Bool) -> String {
    var names = entries.map(\.method.rawValue)
    if entries.contains(where: { $0.takes(.head) }) { names.append("HEAD") }
    if isForScripts { names.append("OPTIONS") }
    return names.joined(separator: ", ")
  }
}
