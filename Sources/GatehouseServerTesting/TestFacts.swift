import Foundation
import GatehouseIdentity
import GatehousePrimitives
import GatehouseTesting

extension TestLists {
  /// Those of the names, each read and checked once.
  static func facts(_ names: [String]) throws -> LibraryFacts {
    try known.withLock { known in
      for name in names where known[name] == nil && name != LibraryFacts.disposable {
        known[name] = try PasswordList(bytes("\(name).list"))
      }
      let domains = names.contains(LibraryFacts.disposable) ? try DomainList(bytes("disposable.txt")) : nil
      return LibraryFacts(lists: known.filter { names.contains($0.key) }, disposable: domains)
    }
  }

  private static func bytes(_ file: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(root)/config/lists/\(file)")))
  }

  private static let known = LockBox<[String: PasswordList]>([:])
}
