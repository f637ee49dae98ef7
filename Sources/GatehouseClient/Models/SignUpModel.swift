import Foundation

/// A form that makes an account.
@MainActor
public final class SignUpModel: AuthModel {
  /// The address.
  @Observed public var email = ""
  /// The password.
  @Observed public var password = ""
  /// The password once more; compared where it is not empty or `asksTwice` is set.
  @Observed public var confirmation = ""
  /// Profile fields by the names that the tenant's policy gives them.
  @Observed public var profile: Profile = [:]
  /// The tenant's policy, once `load()` has it: its fields are the form's inputs, and its rules make `rows`.
  @Observed public private(set) var policy: AuthPolicy?
  /// The passkey of a sign-up whose values were refused: it is taken once more, with others.
  var refused: (passkey: PasskeyRegistration, creation: PasskeyCreation)?
  /// Whether the form has an input for the password once more.
  public var asksTwice = true

  /// An empty form; with a policy that the app brings along, it has its inputs and rows before `load()`.
  public init(_ client: AuthClient, policy: AuthPolicy? = nil) {
    super.init(client)
    self.policy = policy
  }

  /// The text of a profile field, for a view's input. An empty text is no value; it is sent as a value of the field's
  /// type.
  public subscript(field: String) -> String {
    get { profile[field]?.string ?? "" }
    set { profile[field] = newValue.isEmpty ? nil : .string(newValue) }
  }

  /// The fields that the form asks for besides address and password, in the policy's order.
  public var fields: [AuthPolicy.Field] { (policy?.fields ?? []).filter(\.isAskedAtSignUp) }

  /// The inputs from top to bottom: the person's name, the address, the other fields, the password, and again. Without
  /// the password where people have none.
  public var inputs: [String] {
    let names = fields.prefix { $0.type == "string" }.prefix(1).map(\.name)
    let others = fields.map(\.name).filter { !names.contains($0) }
    let passwords = policy?.hasPasswords == false ? [] : ["password"] + (asksTwice ? ["confirmation"] : [])
    return names + ["email"] + others + passwords
  }

  /// Gets the policy. Without a network the form works as well: the server judges.
  public func load() async { policy = (try? await client.policy()) ?? policy }

  var values: Profile { policy?.typed(profile) ?? profile }

  /// The state of each rule for the text typed so far, in the policy's order; empty before `load()`.
  public var rows: [ChecklistRow] {
    policy?.check(.signUp, email: email, password: password, profile: values, at: client.configuration.clock.now) ?? []
  }

  /// Whether neither address nor password is empty, and no rule is broken that the server would refuse.
  public var canSubmit: Bool {
    !isWorking && !email.isEmpty && !password.isEmpty && !rows.contains { $0.mark == .unmet }
  }

  /// The faults that the form sees itself. A field that an account needs is empty, for example.
  private var faults: FormFaults {
    var found = faults(besides: [])
    found.compare(password, confirmation, asksTwice: asksTwice)
    return found
  }

  /// The same without some inputs.
  func faults(besides left: Set<String>) -> FormFaults {
    let required = fields.filter { policy?.demands($0) == true && $0.type != "boolean" }
    let texts = Dictionary(required.map { ($0.name, self[$0.name]) }) { first, _ in first }
      .merging(["email": email, "password": password]) { _, own in own }
    let needed = inputs.filter { !left.contains($0) }.compactMap { name in texts[name].map { (name, $0) } }
    return FormFaults(needed: needed, rows: rows.filter { !left.contains($0.input) })
  }

  /// Signs up, if the form has no fault that it sees itself. Returns whether it succeeded; `message` and `fieldErrors`
  /// say why not.
  @discardableResult
  public func submit() async -> Bool {
    let (client, email, password, profile) = (client, email, password, values)
    return await submit(faults) { () async throws(AuthError) in
      _ = try await client.signUp(email: email, password: password, profile: profile)
    }
  }
}
