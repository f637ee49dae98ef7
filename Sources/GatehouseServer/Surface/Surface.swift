import GatehouseRuntime
import GatehouseWire

/// One part of what a listener answers: a table of entries, and how a refusal reads to those who call them. `Context`
/// is what a request is known by when an entry answers it.
protocol Surface<Context>: Sendable {
  associatedtype Context: Sendable

  /// The entries that it answers. An entry with a literal segment stands before one with a parameter in its place.
  var entries: [Entry<Context>] { get }
  /// Whether a path at which no entry is would be this surface's.
  func claims(_ path: PathSegments) -> Bool
  /// Whether scripts of other origins may call it: then it answers OPTIONS.
  var isForScripts: Bool { get }
  /// The answer to a request that was refused, or that failed.
  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer
}

extension Surface {
  func claims(_ path: PathSegments) -> Bool { false }
  var isForScripts: Bool { false }
}

/// One method of one path, and what answers it.
final class Entry<Context: Sendable>: Sendable {
  let method: GatehouseWire.Method
  let path: PathTemplate
  /// Properties of the entry that hold for all its requests.
  let traits: Traits
  let answer: @Sendable (Request, PathParameters, Context) async throws -> Answer

  init(
    _ method: GatehouseWire.Method, _ path: String, _ traits: Traits = [],
    _ answer: @escaping @Sendable (Request, PathParameters, Context) async throws -> Answer
  ) {
    self.method = method
    self.path = PathTemplate(path)
    self.traits = traits
    self.answer = answer
  }

  /// Whether a request with this method is this entry's. HEAD is a GET whose body the server leaves away.
  func takes(_ method: GatehouseRuntime.Method) -> Bool {
    if method == .head { return self.method == .get && !traits.contains(.hasEffect) }
    return self.method.rawValue == method.description
  }
}

struct Traits: OptionSet, Sendable {
  let rawValue: UInt8
  /// A GET with an effect, which HEAD must not have.
  static let hasEffect = Traits(rawValue: 1)
  /// The same answer for every caller: it is kept and given again.
  static let isPublic = Traits(rawValue: 2)
  /// The time of its answers, sessions apart, must not reveal whether an address has an account.
  static let isEven = Traits(rawValue: 4)
  /// The browser that calls gets a cookie: scripts of the tenant's origins send and get cookies.
  static let bindsBrowser = Traits(rawValue: 8)
}
