import Foundation

#if canImport(Combine)
  public import Combine
#endif
#if canImport(Observation)
  public import Observation
#endif

/// The common part of all models: whether work is under way, and the last error.
///
/// A model is an `ObservableObject`, and `Observable` where the system has it: views see every change. Typed text stays
/// when a call fails. A call that is cancelled with its view says nothing and loses nothing.
///
/// An app's own form is a subclass: its inputs are `@Observed`, and its button calls ``work(_:)``.
@MainActor
open class AuthModel {
  /// The client that the model works with.
  public let client: AuthClient
  /// Work is under way: what a button starts once more is ignored.
  @Observed public internal(set) var isWorking = false
  /// The sentence for the person about the last call; nil when it succeeded.
  @Observed public internal(set) var message: String?
  /// The sentence for each input that the server refused: `email`, `password`, or a profile field's name.
  @Observed public internal(set) var fieldErrors: [String: String] = [:]
  /// The last call's error, for what `message` cannot say.
  @Observed public internal(set) var error: AuthError?
  /// Seconds until the server sends the next mail, or takes the next try after too many.
  @Observed public private(set) var secondsLeft = 0
  private lazy var countdown = Countdown(client.configuration.clock) { [weak self] seconds in
    self?.secondsLeft = seconds
  }

  /// Every change of every property: views look at a model as a whole.
  private var revision = 0
  #if canImport(Observation)
    /// An `ObservationRegistrar`, whose name systems before iOS 17 do not know.
    private let registrar: Any?
  #endif

  /// A model that works with this client.
  public init(_ client: AuthClient) {
    self.client = client
    #if canImport(Observation)
      if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
        registrar = ObservationRegistrar()
      } else {
        registrar = nil
      }
    #endif
  }

  /// A property was read.
  func seen() {
    #if canImport(Observation)
      if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
        (registrar as? ObservationRegistrar)?.access(self, keyPath: \.revision)
      }
    #endif
  }

  /// A property changes.
  func changing(_ change: () -> Void) {
    #if canImport(Combine)
      objectWillChange.send()
    #endif
    #if canImport(Observation)
      if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *),
        let registrar = registrar as? ObservationRegistrar
      {
        registrar.withMutation(of: self, keyPath: \.revision) {
          change()
          revision += 1
        }
        return
      }
    #endif
    change()
  }

  /// Whether the same call may succeed later, unchanged: a view offers to try again.
  public var canRetry: Bool { !isWorking && error?.isTemporary == true }

  /// The first input that was refused: a view puts the focus there.
  public var firstFault: String? { error?.violations.first?.input }

  /// Does the work of a form. What the form itself can see is shown first, and then the server is not asked.
  func submit(_ faults: FormFaults, _ body: () async throws(AuthError) -> Void) async -> Bool {
    let fault = faults.error(client)
    return await work { () async throws(AuthError) in
      if let fault { throw fault }
      try await body()
    }
  }

  /// Does the work of a button, unless some is under way. Returns whether it succeeded; `message`, `fieldErrors` and
  /// `error` say why not.
  public func work(_ body: () async throws(AuthError) -> Void) async -> Bool {
    guard !isWorking else { return false }  // GUARD: models: two taps send once
    isWorking = true
    show(nil)
    defer { isWorking = false }
    do throws(AuthError) {
      try await body()
      return true
    } catch {
      if error.code != .cancelled { show(error) }
      if [.cooldown, .rateLimited, .tooManyAttempts].contains(error.code) { countDown(error.retryAfter) }
      return false
    }
  }

  /// Counts this time down in `secondsLeft`; nil leaves what is counted.
  func countDown(_ wait: Duration?) { if let wait { countdown.start(wait) } }

  /// Shows an error beside its inputs and as one sentence; nil shows none.
  public func show(_ error: AuthError?) {
    self.error = error
    message = error?.message
    fieldErrors = Dictionary(
      (error?.violations ?? []).map { ($0.input, $0.sentence) }, uniquingKeysWith: { first, _ in first })
  }
}

#if canImport(Combine)
  extension AuthModel: ObservableObject {}
#endif

#if canImport(Observation)
  @available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
  extension AuthModel: Observable {}
#endif

/// A property of a model that views follow.
@MainActor
@propertyWrapper
public struct Observed<Value> {
  private var stored: Value

  /// A property with this value at first.
  public init(wrappedValue: Value) { stored = wrappedValue }

  /// Only models have such properties: subclasses of `AuthModel`.
  @available(*, unavailable, message: "a property of AuthModel")
  public var wrappedValue: Value {
    get { stored }
    set { stored = newValue }
  }

  /// Reads and writes by the model, so that it can tell its views.
  public static subscript<Model: AuthModel>(
    _enclosingInstance model: Model, wrapped wrapped: ReferenceWritableKeyPath<Model, Value>,
    storage storage: ReferenceWritableKeyPath<Model, Self>
  ) -> Value {
    get {
      model.seen()
      return model[keyPath: storage].stored
    }
    set { model.changing { model[keyPath: storage].stored = newValue } }
  }
}
