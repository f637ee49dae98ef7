package import GatehousePrimitives
import GatehouseIdentity
import GatehouseAdminWire
import GatehouseWire

/// The admin API's description (OpenAPI 3.1), made from the operators' table and the types of input and output
/// themselves.
package enum AdminDescription {
  package static let document: JSONValue = {
    var paths = JSONObject()
    for route in AdminRoutes.all {
      let path = "/admin/v1" + route.path
      var item = paths[path]?.object ?? JSONObject()
      item[route.method.rawValue.lowercased()] = operation(route)
      paths[path] = .object(item)
    }
    return .object([
      "openapi": .string("3.1.0"),
      "info": .object([
        "title": .string("Gatehouse admin API"), "version": .string("1"),
        "summary": .string("Operations on tenants, policies and users; the same code as the command line"),
      ]),
      "paths": .object(paths),
      "components": .object([
        "securitySchemes": .object([
          "admin_token": .object([
            "type": .string("http"), "scheme": .string("bearer"),
            "description": .string(
              "Made by gatehouse admin create. Scopes: "
                + AdminScope.allCases.map { "\($0.rawValue) (\($0.meaning))" }.joined(separator: ", ")),
          ])
        ]),
        "schemas": .object(["Problem": Schema.ofAnswer(AdminProblem.self)]),
      ]),
    ])
  }()

  private static func operation(_ route: AdminRoute) -> JSONValue {
    var operation: JSONObject = [
      "summary": .string(route.summary), "operationId": .string(name(route)),
      "description": .string("Needs the scope \(route.scope.rawValue)."),
      "security": .array([.object(["admin_token": .array([])])]),
    ]
    let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    let properties = Schema.of(route.input)["properties"]?.object?.members ?? []
    var parameters = properties.filter { inPath.contains($0.key) }.map { parameter($0.key, $0.value, in: "path") }
    var others = properties.filter { !inPath.contains($0.key) }
    if route.form == .textAndRevision {
      others.removeAll { $0.key == "expecting" }
      parameters.append(parameter("If-Match", .object(["type": .string("string")]), in: "header"))
    }
    if route.isIdempotent {
      parameters.append(
        parameter("Idempotency-Key", .object(["type": .string("string"), "maxLength": .integer(255)]), in: "header"))
    }
    let takesQuery = (route.method == .get || route.method == .delete) && route.form != .body
    let takesText = route.form == .text || route.form == .textAndRevision
    if takesQuery || takesText {
      parameters += others.filter { !takesText || $0.key != "text" }.map { parameter($0.key, $0.value, in: "query") }
    }
    if takesText {
      operation["requestBody"] = .object([
        "required": .bool(true),
        "content": .object(["application/yaml": .object(["schema": .object(["type": .string("string")])])]),
      ])
    } else if !takesQuery, let body = Schema.removing(inPath, from: Schema.of(route.input)) {
      operation["requestBody"] = .object(["content": .object(["application/json": .object(["schema": body])])])
    }
    parameters.append(statedName)
    operation["parameters"] = .array(parameters)
    operation["responses"] = .object(responses(route))
    return .object(operation)
  }

  private static let statedName = JSONValue.object([
    "name": .string(StatedName.header), "in": .string("header"), "required": .bool(false),
    "description": .string(
      "The name to keep beside the token's as the author, percent-encoded; stated, not proven: " + StatedName.expects),
    "schema": .object(["type": .string("string"), "maxLength": .integer(Int64(3 * StatedName.most))]),
  ])

  private static func responses(_ route: AdminRoute) -> JSONObject {
    var success: JSONObject = ["description": .string("Done")]
    if route.form == .textAnswer {
      success["content"] = .object(["application/yaml": .object(["schema": .object(["type": .string("string")])])])
    } else if route.status != 204 {
      success["content"] = .object(["application/json": .object(["schema": Schema.ofAnswer(route.output)])])
    }
    return [
      String(route.status): .object(success),
      "default": .object([
        "description": .string("Refused"),
        "content": .object([
          "application/problem+json": .object([
            "schema": .object(["$ref": .string("#/components/schemas/Problem")])
          ])
        ]),
      ]),
    ]
  }

  private static func parameter(_ name: String, _ schema: JSONValue, in place: String) -> JSONValue {
    var parameter: JSONObject = [
      "name": .string(name), "in": .string(place), "required": .bool(place == "path" || place == "header"),
      "schema": schema,
    ]
    if schema["type"]?.string == "array" {
      (parameter["style"], parameter["explode"]) = (.string("form"), .bool(false))
    }
    return .object(parameter)
  }

  /// `put_tenants_tenant_policy`.
  private static func name(_ route: AdminRoute) -> String {
    route.method.rawValue.lowercased()
      + route.path.replacing("/", with: "_").replacing("{", with: "").replacing("}", with: "")
  }
}
