import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseTesting

extension TestLists {
  /// Those of the names, each read and checked once.
  static func facts(_ names: [String]) throws -> LibraryFacts {
    try known.withLock { known in
      for name in names where known[name] == nil {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(root)/config/lists/\(name).list"))
        known[name] = try PasswordList([UInt8](data))
      }
      return LibraryFacts(lists: known.filter { names.contains($0.key) })
    }
  }

  private static let known = LockBox<[String: PasswordList]>([:])
}
