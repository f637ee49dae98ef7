import Foundation

/// A bar on standard error for work that takes a while: only on a terminal, and at most ten times a second.
final class Progress {
  private let terminal: Terminal
  private let what: String
  private let total: Int
  private let began = Date()
  private var drawn = Date.distantPast

  /// `what` stands before the bar: `impact`.
  init(_ what: String, of total: Int, on terminal: Terminal) {
    self.terminal = terminal
    self.what = what
    self.total = total
  }

  func reach(_ done: Int) {
    guard terminal.errorIsTerminal, total > 0, Date().timeIntervalSince(drawn) >= 0.1 else { return }
    drawn = Date()
    let share = min(1, Double(done) / Double(total))
    let filled = Int(share * 24)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
    let spent = Date().timeIntervalSince(began)
    let left = share > 0.02 ? ", \(Int(spent / share - spent) + 1) s left" : ""
    terminal.draw("\r\(what) \(bar) \(Int(share * 100)) %, \(done) of \(total)\(left)\u{1B}[K")
  }

  /// Takes the bar away.
  func end() { if drawn != .distantPast { terminal.draw("\r\u{1B}[K") } }
}
