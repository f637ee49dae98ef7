import GatehouseIdentity
import GatehousePrimitives

/// The lists that rules of the kind `not_in` ask, from the directory `lists` or from the installation.
enum PasswordLists {
  static func isMissing(_ name: String) -> String {
    "the list \"\(name)\" is missing; rules that ask it refuse, unless they say fail: open"
  }
  /// The names policies use; each is a file `NAME.list`.
  static let names = ["common", "breached"]
  private static let limit = 256 << 20

  /// The facts of rules, with every list that is there. A list that is not there leaves its rules undecided, which
  /// denies; the caller says so by `missing`.
  /// - Throws: exit 2 for a file that is no list, or that cannot be read.
  static func load(_ config: Config) throws(Failure) -> (facts: LibraryFacts, missing: [String]) {
    var lists: [String: PasswordList] = [:]
    for name in names { lists[name] = try load(name, config) }
    return (LibraryFacts(lists: lists), names.filter { lists[$0] == nil })
  }

  private static func load(_ name: String, _ config: Config) throws(Failure) -> PasswordList? {
    for folder in config.lists.map({ [$0] }) ?? config.installation.lists {
      let path = "\(folder)/\(name).list"
      switch FileText.read(path, limit: limit) {
      case .success(let bytes):
        do { return try PasswordList(bytes) } catch {
          throw Failure(.usage, "\(Quoted(path)) is no password list: \(error)")
        }
      case .failure(let problem) where problem.isMissing: continue
      case .failure(let problem): throw Failure(.usage, problem.description)
      }
    }
    return nil
  }
}
