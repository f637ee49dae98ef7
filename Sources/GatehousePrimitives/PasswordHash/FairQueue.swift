import Foundation

/// A bounded queue shared by tenants: one line for each, served in turn. When it is full, a newcomer whose line is
/// shorter than the longest one takes the place of that line's newest member, so that no tenant can keep the others
/// out; alone, a tenant may fill it. No lock, no clock.
struct FairQueue<Element> {
  enum Admission {
    case accepted
    /// Accepted, in place of this one, which must be told.
    case replacing(Element)
    case full
  }

  /// At most this many wait.
  let capacity: Int
  private(set) var count = 0
  private var lines: [UUID: [Element]] = [:]
  /// INVARIANT: every tenant with a line once, the next to be served first.
  private var order: [UUID] = []

  init(capacity: Int) { self.capacity = max(1, capacity) }

  mutating func add(_ element: Element, for tenant: UUID) -> Admission {
    // GUARD: hashing: its queue ends
    guard count >= capacity else {
      append(element, for: tenant)
      return .accepted
    }
    let own = lines[tenant]?.count ?? 0
    // GUARD: hashing: a fair share
    guard let longest = order.max(by: { lines[$0, default: []].count < lines[$1, default: []].count }),
      own + 1 < lines[longest, default: []].count, let newest = lines[longest]?.popLast()
    else { return .full }
    count -= 1
    append(element, for: tenant)
    return .replacing(newest)
  }

  private mutating func append(_ element: Element, for tenant: UUID) {
    if lines[tenant] == nil { order.append(tenant) }
    lines[tenant, default: []].append(element)
    count += 1
  }

  /// The next to be served: the oldest of the tenant whose turn it is.
  mutating func next() -> Element? {
    guard let tenant = order.first, let element = lines[tenant]?.removeFirst() else { return nil }
    order.removeFirst()
    count -= 1
    // GUARD: hashing: turns
    if lines[tenant]?.isEmpty == false { order.append(tenant) } else { lines[tenant] = nil }
    return element
  }

  /// Takes out the first that matches.
  mutating func remove(where matches: (Element) -> Bool) -> Element? {
    for tenant in order {
      guard let index = lines[tenant]?.firstIndex(where: matches), let element = lines[tenant]?.remove(at: index)
      else { continue }
      count -= 1
      if lines[tenant]?.isEmpty == true {
        lines[tenant] = nil
        order.removeAll { $0 == tenant }
      }
      return element
    }
    return nil
  }

  /// Takes out all elements.
  mutating func removeAll() -> [Element] {
    let elements = order.flatMap { lines[$0, default: []] }
    (lines, order, count) = ([:], [], 0)
    return elements
  }
}
