package import GatehousePrimitives
package import GatehouseAdminWire
package import GatehouseWire

/// One row of the operators' table: an operation and what does it. The command line and the admin API run the same
/// rows.
package struct AdminRoute: Sendable {
  package let method: GatehouseWire.Method
  /// Below `/admin/v1`; `{name}` stands for one segment.
  package let path: String
  package let scope: AdminScope
  package let status: Int
  package let form: AdminForm
  package let summary: String
  /// Whether the operation takes an `Idempotency-Key`.
  package let isIdempotent: Bool
  package let input: any (Codable & SendableMetatype).Type
  package let output: any (Codable & SendableMetatype).Type
  private let operation: ObjectIdentifier
  /// Checks the scope, then the input, then does it. Nil where there is nothing to answer.
  package let run: @Sendable (JSONObject, OperatorCall) async throws -> JSONValue?

  init<O: AdminOperation>(
    _ operation: O.Type, isIdempotent: Bool = false,
    _ verb: @escaping @Sendable (O.Input, OperatorCall) async throws -> O.Output
  ) {
    method = O.method
    path = O.path
    scope = O.scope
    status = O.status
    form = O.form
    summary = O.summary
    self.isIdempotent = isIdempotent
    input = O.Input.self
    output = O.Output.self
    self.operation = ObjectIdentifier(operation)
    run = { object, call in
      try call.who.require(O.scope)
      let input: O.Input
      do {
        input = try StrictDecoder.decode(O.Input.self, from: .object(object), spelling: .contract)
      } catch let problems as JSONProblems {
        let lines = problems.problems.prefix(20).map { $0.pointer.isEmpty ? $0.reason : "\($0.pointer): \($0.reason)" }
        throw Refusal(.malformedRequest, detail: lines.joined(separator: "; "))
      }
      let output = try await verb(input, call)
      return O.hasBody ? try JSONEncoding.value(output, spelling: .contract) : nil
    }
  }

  /// Whether this row is that operation's.
  package func `is`<O: AdminOperation>(_ operation: O.Type) -> Bool { self.operation == ObjectIdentifier(operation) }
}
