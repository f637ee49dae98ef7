import CPostgreSQL
import Foundation
import GatehousePrimitives

/// The servers that a conninfo names, and the one that answered last. All connections of a database share it.
///
/// Each attempt to connect is made to one of them, with a limit of its own. libpq would give the whole list one limit
/// and begin at the same server each time, so that one which accepts and says nothing would hide the others.
final class ConnectionHosts: Sendable {
  typealias Keyword = (name: String, value: String)

  /// The keywords for libpq, for each of them. Empty where there is nothing to choose: then libpq reads the conninfo
  /// itself.
  let targets: [[Keyword]]
  private let good = LockBox(0)

  init(conninfo: String) { targets = ConnectionHosts.targets(in: conninfo) }

  /// The number of servers; 1 where libpq reads the conninfo itself.
  var count: Int { max(1, targets.count) }
  /// The one that answered last, or the first.
  var lastGood: Int { good.withLock { $0 } }

  /// Notes that this one answered.
  func answered(_ host: Int) { good.withLock { $0 = host } }

  /// Each of the hosts with its own port and all other options. None where there is one host, and none where libpq
  /// cannot read the conninfo or would refuse it: libpq then says why.
  private static func targets(in conninfo: String) -> [[Keyword]] {
    guard let options = PQconninfoParse(conninfo, nil) else { return [] }
    defer { PQconninfoFree(options) }
    var keywords: [Keyword] = []
    var option = options
    while let name = option.pointee.keyword {
      if let value = option.pointee.val { keywords.append((String(cString: name), String(cString: value))) }
      option += 1
    }
    func list(_ name: String) -> [String] {
      keywords.last { $0.name == name }?.value.split(separator: ",", omittingEmptySubsequences: false)
        .map(String.init) ?? []
    }
    let lists = ["host", "hostaddr", "port"].map { (name: $0, values: list($0)) }
    let count = max(lists[0].values.count, lists[1].values.count)
    let isWhole = lists.allSatisfy { list in
      [0, count].contains(list.values.count) || (list.name == "port" && list.values.count == 1)
    }
    guard count > 1, isWhole else { return [] }
    let others = keywords.filter { keyword in !lists.contains { $0.name == keyword.name } }
    return (0..<count).map { host in
      others
        + lists.compactMap { list in
          // One port is every host's.
          let value = list.values.count == 1 ? list.values.first : list.values.dropFirst(host).first
          return value.flatMap { $0.isEmpty ? nil : (list.name, $0) }
        }
    }
  }
}

/// The order in which one connection tries the hosts: first the one that answered last, then the others in turn.
struct HostRound {
  private var first = 0
  private var tried = 0

  /// The host of the next attempt, of so many.
  func host(of count: Int) -> Int { (first + tried) % count }

  /// The attempt failed. Whether the round goes on; otherwise the next attempt begins another one.
  mutating func failed(of count: Int) -> Bool {
    tried += 1
    guard tried >= count else { return true }
    tried = 0
    return false
  }

  /// Called before each attempt: a round begins at the host that answered last.
  mutating func prepare(lastGood: Int) { if tried == 0 { first = lastGood } }

  /// The connection is there: the next round is another one.
  mutating func succeeded() { tried = 0 }
}
