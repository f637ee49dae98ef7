import GatehouseIdentity
import GatehousePrimitives

/// The lists that rules of the kind `not_in` ask, from the directory `lists` or from where they were installed.
enum PasswordLists {
  /// Where they are looked for when the configuration does not say: the working copy, then the installed files.
  static let usualDirectories = ["config/lists", "/usr/local/share/gatehouse/lists", "/usr/share/gatehouse/lists"]

  static func isMissing(_ name: String) -> String {
    "the list \"\(name)\" is missing; rules that ask it refuse, unless they say fail: open"
  }
  /// The names policies use; each is a file `NAME.list`.
  static let names = ["common", "breached"]
  private static let limit = 256 << 20

  /// The facts of rules, with every list that is there. A list that is not there leaves its rules undecided, which
  /// denies; the caller says so by `missing`.
  /// - Throws: exit 2 for a file that is no list, or that cannot be read.
  static func load(_ directory: String?) throws(Failure) -> (facts: LibraryFacts, missing: [String]) {
    var lists: [String: PasswordList] = [:]
    for name in names { lists[name] = try load(name, directory) }
    return (LibraryFacts(lists: lists), names.filter { lists[$0] == nil })
  }

  private static func load(_ name: String, _ directory: String?) throws(Failure) -> PasswordList? {
    for folder in directory.map({ [$0] }) ?? usualDirectories {
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
