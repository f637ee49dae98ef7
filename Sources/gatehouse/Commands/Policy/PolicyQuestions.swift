import Foundation
import GatehouseIdentity
import GatehousePolicyFile

/// The files of the commands that only ask, as `doors` and `diff`: every file of which a policy can be made has its
/// answer. A reason against applying it is a note, and so is a fault of the lists or the floor here.
struct PolicyQuestions {
  private let terminal: Terminal
  private var facts = LibraryFacts(lists: [:])
  private var missingLists: [String] = []
  private var floor: Floor?

  init(_ invocation: Invocation) {
    terminal = invocation.terminal
    do throws(Failure) {
      let config = try Config.read(invocation).0
      (facts, missingLists) = try RuleLists.load(config)
      floor = try FloorFile.load(config)
    } catch {
      for message in error.messages { terminal.note("note: \(message)") }
    }
  }

  /// The policy of a file, its notes said; nil where it is none, and then every reason stands on standard error.
  func ask(_ bytes: [UInt8], _ path: String) -> PolicyFile? {
    let check = PolicyCheck.check(bytes, name: path, using: facts, floor: floor, now: Date())
    switch check.asked() {
    case .success(let file):
      if check.failingTests > 0 { PolicyInput.tell(missing: missingLists, terminal) }
      Self.tell(check.notes, terminal)
      return file
    case .failure(let refusal):
      Self.tell(refusal, terminal)
      return nil
    }
  }

  /// Says what would keep a file from being applied.
  static func tell(_ notes: [String], _ terminal: Terminal) {
    for note in notes { terminal.note("note: \(Visible.line(note))") }
  }

  static func tell(_ refusal: PolicyFileRefusal, _ terminal: Terminal) {
    terminal.note(String(refusal.text(colours: terminal.colour.error ? .ansi : .none).dropLast()))
  }
}
