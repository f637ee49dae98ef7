import GatehousePrimitives
import GatehouseRuntime

/// Forms as browsers send them.
extension Request {
  var isForm: Bool {
    headers.single("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true && !isEncoded
  }

  /// The values of its query under these names; nil where one of them is given twice or cannot be read.
  func queryValues(_ names: Set<String>) -> JSONObject? { try? QueryReader.read(query, names) }

  /// The values of a form, each under its name. Nil for one that cannot be read, or is beyond its limits.
  func form(_ limits: FormParser.Limits = .init()) -> JSONObject? {
    try? FormParser.parse(body, limits: limits).object
  }
}
