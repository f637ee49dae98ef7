/// A refusal of the store for an operator: the reason and whether anything changed, and the next step.
struct StoreWords {
  let sentence: String
  let hint: String?

  init(_ error: StoreError) {
    let nothing = "nothing was changed"
    (sentence, hint) =
      switch error {
      case .unavailable: ("the database does not answer; \(nothing)", "gatehouse doctor")
      case .unknownOutcome:
        (
          "the connection to the database was lost before its answer: it may have happened, or not",
          "look whether it did, then try again"
        )
      case .overloaded: ("the database has too much to do; \(nothing)", "try again in a few seconds")
      case .impaired(let state):
        ("\(WriteTrouble(state: state)?.sentence ?? "the database refused (\(state))"); \(nothing)", "gatehouse doctor")
      case .limited(let name, let seconds):
        (
          "the limit \(name) is used up; it has room in \(seconds) seconds; \(nothing)", "gatehouse limit list"
        )
      case .refused(let condition):
        (
          "something changed meanwhile (\(condition.rawValue.replacing("_", with: " ")) no longer holds); \(nothing)",
          "look, then try again"
        )
      case .emailTaken: ("another account has this address; \(nothing)", nil)
      case .fieldTaken(let field): ("another account has this value of \(field); \(nothing)", nil)
      case .exists: ("it exists already; \(nothing)", nil)
      }
  }
}
