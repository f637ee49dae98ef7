import Foundation

/// A form with the person's own profile fields. What was changed and not saved stays when a call fails.
@MainActor
public final class ProfileModel: AuthModel {
  /// The tenant's policy, once `load()` has it: its fields are the form's inputs, and its rules make `rows`.
  @Observed public private(set) var policy: AuthPolicy?
  /// The changes that are not saved, by the field's name.
  @Observed public private(set) var changes: Profile = [:]
  /// Whether the last changes are saved, and nothing was typed since.
  @Observed public private(set) var isSaved = false
  /// The record, which another device may change as well.
  @Observed public private(set) var user: AuthUser?
  private let follower = TaskHolder()

  /// The form of the signed-in person. It follows the client until the model goes.
  public override init(_ client: AuthClient) {
    user = client.state.user
    super.init(client)
    let states = client.states
    follower.hold(
      Task { [weak self] in
        for await state in states {
          guard let self else { return }
          if self.user != state.user { self.user = state.user }
        }
      })
  }

  /// Gets the policy. Throws nothing: without a network the form shows the error, and `load()` may be called again.
  public func load() async {
    let client = client
    var got: AuthPolicy?
    _ = await work { () async throws(AuthError) in got = try await client.policy() }
    if let got { policy = got }
  }

  /// The fields that the person may change, in the policy's order.
  public var fields: [AuthPolicy.Field] { (policy?.fields ?? []).filter(\.isWritable) }

  /// The fields that only others change and that have a value.
  public var fixedFields: [AuthPolicy.Field] {
    (policy?.fields ?? []).filter { !$0.isWritable && ![nil, .null].contains(user?[$0.name]) }
  }

  /// The text of a field, as typed, else as stored.
  public subscript(field: String) -> String {
    get {
      switch changes[field] ?? user?[field] ?? .null {
      case .null: ""
      case .boolean(let flag): String(flag)
      case .integer(let number): String(number)
      case .string(let text): text
      }
    }
    set {
      guard newValue != self[field] else { return }
      isSaved = false
      changes[field] = newValue.isEmpty ? .null : .string(newValue)
    }
  }

  /// The value of a field as people read it.
  public func text(of field: AuthPolicy.Field) -> String {
    (changes[field.name] ?? user?[field.name]).map(field.label(of:)) ?? ""
  }

  private var values: Profile { policy?.typed(changes) ?? changes }

  /// The state of each rule for the changes; empty before `load()`.
  public var rows: [ChecklistRow] {
    (policy?.check(.updateProfile, profile: values, at: client.configuration.clock.now) ?? [])
      .filter { changes[$0.input] != nil }
  }

  /// Whether there is something to save.
  public var hasChanges: Bool { !changes.isEmpty }

  /// Saves what was changed, all or nothing, if the form has no fault that it sees itself.
  @discardableResult
  public func submit() async -> Bool {
    guard hasChanges else { return true }
    let (client, values, sent) = (client, values, changes)
    let needed = fields.filter { policy?.demands($0) == true && changes[$0.name] != nil }
    let faults = FormFaults(needed: needed.map { ($0.name, self[$0.name]) }, rows: rows)
    let isDone = await submit(faults) { () async throws(AuthError) in _ = try await client.updateProfile(values) }
    if isDone {
      user = client.state.user
      // What was typed while the call was under way is kept.
      changes = changes.filter { sent[$0.key] != $0.value }
      isSaved = changes.isEmpty
    }
    return isDone
  }

  /// Leaves everything as it is stored.
  public func discard() { changes = [:] }
}
