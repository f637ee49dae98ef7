/// One thing a loop has to run: a Swift job, or a plain closure.
enum Work {
  case job(UnownedJob)
  case body(@Sendable () -> Void)
}

/// First in, first out, in a ring that grows and keeps its memory: no allocation per job once warm.
struct WorkQueue {
  private var slots: [Work?] = Array(repeating: nil, count: 64)
  private var head = 0
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ work: Work) {
    if count == slots.count { grow() }
    // INVARIANT: `slots.count` is a power of two, so the mask wraps the index.
    slots[(head &+ count) & (slots.count &- 1)] = work
    count += 1
  }

  mutating func popFirst() -> Work? {
    guard count > 0 else { return nil }
    let work = slots[head]
    slots[head] = nil
    head = (head &+ 1) & (slots.count &- 1)
    count -= 1
    return work
  }

  private mutating func grow() {
    var larger: [Work?] = []
    larger.reserveCapacity(slots.count * 2)
    larger.append(contentsOf: slots[head...])
    larger.append(contentsOf: slots[..<head])
    larger.append(contentsOf: repeatElement(nil, count: slots.count))
    slots = larger
    head = 0
  }
}
