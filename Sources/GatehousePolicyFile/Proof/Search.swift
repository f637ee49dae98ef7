import Foundation
import GatehousePolicy

/// A bound on the work of proofs, so that no file takes longer than its time. Not Sendable: it belongs to one check.
final class ProofBudget {
  private(set) var left: Int

  /// - Parameter work: In comparisons; a decision costs the weight of its policy.
  init(_ work: Int = ofCheck) { left = work }

  /// Of a check, about 60 ms.
  static let ofCheck = 150_000
  /// Of a command that does nothing else, some seconds.
  static let ofProve = 20_000_000

  /// Whether so much work may still be done; it counts as done.
  func spend(_ work: Int) -> Bool {
    left -= work
    return left >= 0
  }
}

/// Breadth-first search over the accounts that requests lead to.
struct Search {
  /// A step that was taken.
  struct Edge {
    let from: Situation
    let to: Situation
    let step: Step
    let decision: Decision?
  }

  /// The steps to a situation, newest last.
  struct Chain {
    let start: Situation
    var edges: [Edge] = []
  }

  enum Result {
    /// Every situation that can be reached, none of them wanted.
    case exhausted(Set<Situation>)
    case found(Chain)
    case tooMany
  }

  let requests: Requests
  let steps: [Step]
  let days: [Date]
  let budget: ProofBudget

  /// Visits every step that is allowed, those of the shortest chains first.
  /// - Parameter isWanted: Ends the search.
  func run(from starts: [Situation], where isWanted: (Edge) -> Bool) -> Result {
    var came: [Situation: Edge] = [:]
    var seen = Set(starts)
    var queue = starts
    var next = 0
    let weight = requests.policy.weight
    while next < queue.count {
      let situation = queue[next]
      next += 1
      for step in steps {
        guard budget.spend(weight) else { return .tooMany }
        guard let edge = take(step, from: situation) else { continue }
        if isWanted(edge) { return .found(chain(to: edge, came)) }
        if seen.insert(edge.to).inserted {
          came[edge.to] = edge
          queue.append(edge.to)
        }
      }
    }
    return .exhausted(seen)
  }

  func take(_ step: Step, from situation: Situation) -> Edge? {
    if step.transition == .nextDay {
      guard situation.day + 1 < days.count else { return nil }
      let later = Situation(account: situation.account, day: situation.day + 1)
      return Edge(from: situation, to: later, step: step, decision: nil)
    }
    guard let taken = requests.take(step, from: situation.account, at: days[situation.day]) else { return nil }
    let after = Situation(account: taken.account, day: situation.day)
    return Edge(from: situation, to: after, step: step, decision: taken.decision)
  }

  private func chain(to edge: Edge, _ came: [Situation: Edge]) -> Chain {
    var edges = [edge]
    while let before = came[edges[0].from] { edges.insert(before, at: 0) }
    return Chain(start: edges[0].from, edges: edges)
  }
}
