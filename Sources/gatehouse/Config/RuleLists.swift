import GatehouseIdentity
import GatehousePrimitives

/// The lists that rules of the kinds `not_in` and `deny_disposable` ask, and the ranges of telephone numbers, from the
/// directory `lists` or from the installation.
enum RuleLists {
  /// The lists of passwords, by the names that policies use.
  private static let ofPasswords = ["common", "breached"]
  /// Every list.
  static let names = ofPasswords + [LibraryFacts.disposable]
  private static let limit = 256 << 20
  private static let domainLimit = 16 << 20
  private static let rangeLimit = 1 << 20

  /// The name of a list's file in the directory.
  static func file(_ name: String) -> String { ofPasswords.contains(name) ? "\(name).list" : "\(name).txt" }

  /// The files that they may be read from.
  static func files(_ config: Config) -> [String] {
    folders(config).flatMap { folder in (names + [LibraryFacts.phoneRangesName]).map { "\(folder)/\(file($0))" } }
  }

  private static func folders(_ config: Config) -> [String] { config.lists.map { [$0] } ?? config.installation.lists }

  static func isMissing(_ name: String) -> String {
    let exception = name == LibraryFacts.disposable ? "" : ", unless they say fail: open"
    return "the list \"\(name)\" is missing; rules that ask it refuse\(exception)"
  }

  /// The facts of rules, with every list that is there. A list that is not there leaves its rules undecided, which
  /// denies; the caller says so by `missing`.
  /// - Throws: exit 2 for a file that is no list, or that cannot be read.
  static func load(_ config: Config) throws(Failure) -> (facts: LibraryFacts, missing: [String]) {
    var lists: [String: PasswordList] = [:]
    for name in ofPasswords {
      guard let (path, bytes) = try bytes(name, limit, config) else { continue }
      do { lists[name] = try PasswordList(bytes) } catch {
        throw Failure(.usage, "\(Quoted(path)) is not a password list: \(error)")
      }
    }
    let disposable = try domains(config)
    let missing = names.filter { $0 == LibraryFacts.disposable ? disposable == nil : lists[$0] == nil }
    return (LibraryFacts(lists: lists, disposable: disposable, phoneRanges: try phoneRanges(config)), missing)
  }

  /// The ranges that the operator adds; nil without the file, which is optional.
  static func phoneRanges(_ config: Config) throws(Failure) -> PhoneRanges? {
    guard let (path, bytes) = try bytes(LibraryFacts.phoneRangesName, rangeLimit, config) else { return nil }
    do { return try PhoneRanges(bytes) } catch {
      throw Failure(.usage, "\(Quoted(path)) is not a list of telephone ranges: \(error)")
    }
  }

  private static func domains(_ config: Config) throws(Failure) -> DomainList? {
    guard let (path, bytes) = try bytes(LibraryFacts.disposable, domainLimit, config) else { return nil }
    do { return try DomainList(bytes) } catch {
      throw Failure(.usage, "\(Quoted(path)) is not a list of domains: \(error)")
    }
  }

  /// The file of the first directory that has it; nil where none has.
  private static func bytes(_ name: String, _ limit: Int, _ config: Config) throws(Failure) -> (
    path: String, bytes: [UInt8]
  )? {
    for folder in folders(config) {
      let path = "\(folder)/\(file(name))"
      switch FileText.read(path, limit: limit) {
      case .success(let bytes): return (path, bytes)
      case .failure(let problem) where problem.isMissing: continue
      case .failure(let problem): throw Failure(.usage, problem.description)
      }
    }
    return nil
  }
}
