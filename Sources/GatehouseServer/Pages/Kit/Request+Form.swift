import GatehousePrimitives
import GatehouseRuntime

/// Forms as browsers send them.
extension Request {
  var isForm: Bool { headers.single("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true }

  /// The values of its query; nil without one, or where it cannot be read.
  var queryValues: JSONObject? { query.flatMap { try? FormParser.parse(Array($0.utf8)).object } }

  /// The values of a form, each under its name. Nil for one that cannot be read, or is beyond its limits.
  func form(_ limits: FormParser.Limits = .init()) -> JSONObject? {
    try? FormParser.parse(body, limits: limits).object
  }
}
