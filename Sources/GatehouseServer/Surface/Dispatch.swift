import GatehouseIdentity
import GatehouseRuntime
import GatehouseWire

/// A request at what is at its path: one entry answers, or a surface refuses.
struct Dispatch<Context: Sendable> {
  private let matches: [SurfaceTable<Context>.Match]
  private let surface: (any Surface<Context>)?

  init(_ matches: [SurfaceTable<Context>.Match], _ table: SurfaceTable<Context>, _ path: PathSegments) {
    self.matches = matches
    // A literal segment wins over a parameter: `/v1/me/sessions/current/…` is no session called "current".
    surface = matches.first?.surface ?? table.surface(claiming: path)
  }

  /// The answer of the entry for the request's method. The record's fields of the path are noted before anything is
  /// refused; `admit` makes the context or refuses, before the method is looked at.
  func answer(_ exchange: inout Exchange, admit: (inout Exchange) async throws -> Context) async -> Answer {
    let entries = matches.map(\.entry)
    let isForScripts = surface?.isForScripts ?? false
    if let first = entries.first { exchange.record.route = first.path.text }
    // A preflight is for all methods of a path.
    exchange.traits = entries.reduce(Traits()) { $0.union($1.traits) }.subtracting(.isEven)
    do {
      let context = try await admit(&exchange)
      guard !matches.isEmpty else { throw Refusal(.notFound) }
      if exchange.request.method == .options, isForScripts {
        return preflight(exchange, AllowedMethods.text(entries, isForScripts: true))
      }
      guard let match = matches.first(where: { $0.entry.takes(exchange.request.method) }) else {
        exchange.allowed = AllowedMethods.text(entries, isForScripts: isForScripts)
        throw Refusal(.methodNotAllowed)
      }
      exchange.record.route = match.entry.path.text
      exchange.traits.formUnion(match.entry.traits)
      return try await match.entry.answer(exchange.request, match.parameters, context)
    } catch {
      return surface?.refuse(error, &exchange) ?? Answer(status: 404)
    }
  }

  private func preflight(_ exchange: Exchange, _ methods: String) -> Answer {
    var answer = Answer(status: 204)
    answer.headers.set("Allow", methods)
    let fields = exchange.tenant.map { CORS.preflight(exchange.request, $0, methods: methods) } ?? []
    for field in fields { answer.headers.set(field.name, field.value) }
    return answer
  }
}
