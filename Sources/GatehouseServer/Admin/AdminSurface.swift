import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseRuntime
import GatehouseWire

/// The operators' table over HTTP: scope and input in this order, then the verb.
struct AdminSurface: Surface {
  /// An operator's request.
  struct Context: Sendable {
    let bearer: Operator
    let requestID: String
    let address: NetworkAddress?
  }

  let services: Services

  var entries: [Entry<Context>] {
    AdminRoutes.all.map { route in
      let row = AdminRow(route)
      return Entry(route.method, "/admin/v1" + route.path) { request, parameters, context in
        try await answer(row, parameters, request, context)
      }
    }
  }

  private func answer(_ row: AdminRow, _ parameters: PathParameters, _ request: Request, _ context: Context)
    async throws -> Answer
  {
    // A token that may not do it is not told what is wrong with the rest.
    try context.bearer.require(row.route.scope)
    let input = try row.input(request, parameters: parameters)
    let bearer = try Self.stating(context.bearer, request)
    let key = row.route.isIdempotent ? try IdempotencyGate.key(request) : nil
    let call = OperatorCall(
      bearer, services, requestID: context.requestID, address: context.address,
      idempotency: key.map { IdempotencyRequest(key: $0, body: request.body) })
    return row.answer(try await row.route.run(input, call))
  }

  /// The bearer with the name that the request states, where it states one.
  private static func stating(_ bearer: Operator, _ request: Request) throws -> Operator {
    let fields = request.headers.values(of: StatedName.header.lowercased())
    guard let field = fields.first else { return bearer }
    guard fields.count == 1, field.utf8.count <= 3 * StatedName.most,
      let name = PathTemplate.decoded(Array(field.utf8)[...]).flatMap(StatedName.init)
    else {
      throw Refusal(.malformedRequest, detail: "\(StatedName.header) must be one field: \(StatedName.expects)")
    }
    return bearer.stating(name)
  }

  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer { .adminProblem(error, &exchange) }
}

/// The answer of the admin listener to a caller without a token: where the operations are described.
struct AdminDocuments: Surface {
  var entries: [Entry<Void>] {
    [Entry(.get, "/admin/v1/openapi.json") { _, _, _ in .json(AdminDescription.document.bytes) }]
  }

  func refuse(_ error: any Error, _ exchange: inout Exchange) -> Answer { .adminProblem(error, &exchange) }
}

extension Answer {
  /// The refusal of an error for an operator, kept for the record.
  static func adminProblem(_ error: any Error, _ exchange: inout Exchange) -> Answer {
    let (problem, note) = AdminProblems.problem(of: error, requestID: exchange.id)
    (exchange.record.code, exchange.record.note) = (problem.code.known, note)
    // A problem is plain strings and numbers: encoding one cannot fail.
    var answer = Answer.problem(
      (try? JSONEncoding.encode(problem, spelling: .contract)) ?? Array("{}".utf8), status: problem.status)
    if let seconds = problem.retryAfter ?? (problem.status == 503 ? 1 : nil) {
      answer.headers.set("Retry-After", String(seconds))
    }
    if problem.status == 401 { answer.headers.set("WWW-Authenticate", "Bearer") }
    if let revision = problem.revision { answer.headers.set("ETag", "\"\(revision)\"") }
    return answer
  }
}
