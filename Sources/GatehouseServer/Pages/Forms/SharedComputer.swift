import GatehouseIdentity
import GatehousePolicy

/// The box that shortens a session: where the policy offers it, its user says that others use the computer, too.
extension Visit {
  private static let box = "shared"

  /// The box; none where the policy does not offer it.
  var sharedComputer: [FormField] {
    guard policy.sessions.pageSharedComputer else { return [] }
    return [
      FormField(
        name: Self.box, label: words.signIn.shared, kind: .checkbox, value: flow.isShared == true ? "true" : "",
        hint: "\(words.signIn.sharedHint)", isRequired: false)
    ]
  }

  /// Takes the box of a form that was sent. The session that the form opens is a short one then.
  mutating func rememberShared(_ typed: Typed) {
    flow.isShared = policy.sessions.pageSharedComputer && typed[Self.box] == "true" ? true : nil
    shorten(flow.isShared == true)
  }
}
