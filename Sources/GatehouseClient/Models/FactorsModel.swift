import Foundation

/// The second factors of the signed-in person: a list, an authenticator app or a passkey to add, and recovery codes.
///
/// A change demands a fresh proof. The form keeps the change that was asked for in `waiting`, and `prove()` goes on
/// with it. A form that outlives the session forgets everything of its person.
@MainActor
public final class FactorsModel: ProvingModel {
  /// A change, which demands a fresh proof.
  public enum Action: Sendable, Hashable {
    /// An authenticator app is added.
    case add
    /// A passkey is added.
    case addPasskey
    /// A factor is removed, with its device or without it: the mail about a lost one says so.
    case remove(SecondFactor, isLost: Bool = false)
    /// New recovery codes are made.
    case makeRecoveryCodes
  }

  /// The factors; nil before `load()` has them.
  @Observed public private(set) var factors: SecondFactors?
  /// The action that waits for a proof; nil where none does.
  @Observed public private(set) var waiting: Action?
  /// The app that waits for its first code; nil where none does.
  @Observed public private(set) var enrolment: TOTPEnrolment?
  /// The tenant's policy, as kept, or once `load()` has it: the factors that may be added.
  @Observed public private(set) var policy: AuthPolicy?
  /// A name for the factor that is added.
  @Observed public var name = ""
  /// The first code of the app that is added.
  @Observed public var code = ""
  /// Recovery codes to show, this once: until `keptRecoveryCodes()`.
  @Observed public private(set) var recoveryCodes: [String] = []

  /// The account that the form is about.
  private var owner: String?
  private let follower = TaskHolder()

  /// A list that is not there yet. It follows the client until the model goes.
  public override init(_ client: AuthClient) {
    owner = client.state.user?.id
    policy = client.policies.kept?.policy
    super.init(client)
    let states = client.states
    follower.hold(
      Task { [weak self] in
        for await _ in states {
          guard let self else { return }
          _ = self.look()
        }
      })
  }

  /// Whether so few recovery codes are left that new ones should be made.
  public var isShortOfCodes: Bool { factors.map { !$0.items.isEmpty && $0.recoveryCodesLeft <= 3 } ?? false }
  /// Whether an authenticator app may be added, as far as the policy is known.
  public var canAddApp: Bool { policy.map { $0.factors.contains(.totp) } ?? true }
  /// Whether a passkey may be added, and one can be made here.
  public var canAddPasskey: Bool { passkeys != nil && policy?.admitsPasskeys == true }
  /// The seed of the app that is added, in groups of four, to be typed.
  public var secretText: String { enrolment.map { Self.grouped($0.secret) } ?? "" }
  /// The recovery codes as a text to be kept, a line each.
  public var recoveryText: String { recoveryCodes.joined(separator: "\n") }

  /// Gets the list. The one before stays where that fails.
  @discardableResult
  public func load() async -> Bool {
    let owner = look()
    let isLoaded = await work { () async throws(AuthError) in try await fetch(for: owner) }
    policy = (try? await client.policy()) ?? policy
    return isLoaded
  }

  /// Begins to add an authenticator app: `enrolment` has what the screen shows.
  @discardableResult
  public func add() async -> Bool { await run(.add) }

  /// Adds a passkey, which the system asks for. A question that was closed is no error: nothing was added.
  @discardableResult
  public func addPasskey() async -> Bool { await run(.addPasskey) }

  /// Adds a passkey without a question, where the policy offers one and the system agrees: after a sign-in with a
  /// password. Says nothing where there is none in the end. `recoveryCodes` has the codes that came with it.
  @discardableResult
  public func upgrade() async -> Bool {
    let owner = look()
    guard let added = await client.upgradeToPasskey() else { return false }
    if look() == owner, !added.recoveryCodes.isEmpty { recoveryCodes = added.recoveryCodes }
    return true
  }

  /// Removes a factor. The mail about one whose device is lost says so.
  @discardableResult
  public func remove(_ factor: SecondFactor, isLost: Bool = false) async -> Bool {
    await run(.remove(factor, isLost: isLost))
  }

  /// Makes new recovery codes.
  @discardableResult
  public func makeRecoveryCodes() async -> Bool { await run(.makeRecoveryCodes) }

  /// Gives the proof that was typed, and goes on with what waits for it.
  @discardableResult
  public func prove() async -> Bool {
    guard let waiting else { return false }
    return await run(waiting)
  }

  /// Names a factor.
  @discardableResult
  public func rename(_ factor: SecondFactor, to name: String) async -> Bool {
    let client = client
    let owner = look()
    return await work { () async throws(AuthError) in
      _ = try await client.renameFactor(factor.id, to: name.isEmpty ? nil : name)
      try await fetch(for: owner)
    }
  }

  /// Adds the app by its first code. A wrong code leaves the form as it is; an enrolment whose time is over is gone.
  @discardableResult
  public func confirm() async -> Bool {
    let owner = look()
    guard let enrolment else { return false }
    let (client, code) = (client, code)
    let isAdded = await submit(FormFaults(needed: [("code", code)])) { () async throws(AuthError) in
      let codes = try await client.confirmTOTP(enrolment, code: code).recoveryCodes
      if look() == owner { recoveryCodes = codes }
    }
    if isAdded || error?.code == .codeExpired { cancel() }
    if isAdded { try? await fetch(for: owner) }
    return isAdded
  }

  /// Back to the list: nothing was added, and nothing waits.
  public func cancel() {
    (enrolment, waiting) = (nil, nil)
    (name, code) = ("", "")
    forgetProof()
  }

  /// The person has kept the recovery codes: they are shown no more.
  public func keptRecoveryCodes() { recoveryCodes = [] }

  private func run(_ action: Action) async -> Bool {
    let client = client
    let owner = look()
    var isClosed = false
    let isDone = await work { () async throws(AuthError) in
      if let password = try await given() {
        try await client.reauthenticate(password)
        forgetProof()
      }
      switch action {
      case .add:
        let begun = try await client.startTOTP(name: name.isEmpty ? nil : name)
        if look() == owner { enrolment = begun }
      case .addPasskey:
        let codes = try await makePasskey(&isClosed).recoveryCodes
        if look() == owner { recoveryCodes = codes }
      case .remove(let factor, let isLost): try await client.removeFactor(factor.id, isLost: isLost)
      case .makeRecoveryCodes:
        let codes = try await client.makeRecoveryCodes()
        if look() == owner { recoveryCodes = codes }
      }
    }
    if isDone {
      waiting = nil
      forgetProof()
      if action != .add { try? await fetch(for: owner) }
    } else if error?.code == .reauthenticationRequired {
      waiting = action
    } else if isClosed {
      waiting = nil
    }
    return isDone
  }

  /// - Parameter isClosed: set where the person closed the system's question.
  private func makePasskey(_ isClosed: inout Bool) async throws(AuthError) -> AddedFactor {
    let (client, given) = (client, name)
    let creation = try await client.startPasskey()
    guard let passkeys else { throw await client.keeper.own(.passkeysUnavailable) }
    let passkey: PasskeyRegistration
    do throws(AuthError) {
      passkey = try await passkeys.make(creation)
    } catch {
      isClosed = error.code == .cancelled
      throw error
    }
    let added = try await client.addPasskey(passkey, for: creation, name: given.isEmpty ? nil : given)
    name = ""
    return added
  }

  /// Gets the list, unless its person left meanwhile. The person's passkey manager is told which passkeys there are.
  private func fetch(for owner: String?) async throws(AuthError) {
    let list = try await client.factorsReported()
    if look() == owner { factors = list }
  }

  /// The account of now; nil where there is none. What the form has of another one, it forgets. A session that is
  /// locked is still that of its person.
  private func look() -> String? {
    let state = client.state
    // GUARD: models: what one person was shown is shown to no other
    guard state != .locked, state != .restoring, state.user?.id != owner else { return owner }
    owner = state.user?.id
    cancel()
    (factors, recoveryCodes) = (nil, [])
    show(nil)
    return owner
  }

  private static func grouped(_ secret: String) -> String {
    stride(from: 0, to: secret.count, by: 4)
      .map { String(secret.dropFirst($0).prefix(4)) }
      .joined(separator: " ")
  }
}
