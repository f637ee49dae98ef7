import GatehousePrimitives

/// Where providers send browsers back to, described: browsers come here, not the app's code, and they get pages and
/// redirects.
enum LandingDescriptions {
  /// By path below the tenant's.
  static let all: [(path: String, item: JSONObject)] = [
    (ProviderLanding.Purpose.signIn, "303", "On to the app's continue address, with code or error"),
    (.link, "200", "A page that says so: linked"),
  ].map { purpose, status, text in
    (purpose.path, item(purpose.path, status, text))
  }

  private static func item(_ route: String, _ status: String, _ text: String) -> JSONObject {
    let name = route.replacing("/", with: "_").replacing("{", with: "").replacing("}", with: "")
    var arrived: JSONObject = ["description": .string(text)]
    if status == "200" { arrived["content"] = page } else { arrived["headers"] = location }
    let get: JSONObject = [
      "summary": .string("Comes back from a provider, in the browser that began: good once, bound to its cookie"),
      "operationId": .string("get" + name), "security": .array([]),
      "parameters": .array([provider] + fields.map(query)),
      "responses": .object([status: .object(arrived), "default": refused]),
    ]
    let post: JSONObject = [
      "summary": .string("For providers that post their answer: sends the browser to the same by GET"),
      "operationId": .string("post" + name), "security": .array([]), "parameters": .array([provider]),
      "requestBody": .object([
        "required": .bool(true),
        "content": .object(["application/x-www-form-urlencoded": .object(["schema": form])]),
      ]),
      "responses": .object([
        "303": .object(["description": .string("To the same path, by GET"), "headers": location]), "default": refused,
      ]),
    ]
    return ["get": .object(get), "post": .object(post)]
  }

  private static let text = JSONValue.object(["type": .string("string")])

  /// RFC 6749 section 4.1.2, RFC 9207, and what Apple adds.
  private static let fields = [
    ("state", "As it was given"), ("code", "The authorization code"),
    ("error", "The reason for which there is no code"),
    ("iss", "The issuer of the answer"), ("user", "Apple's: the name, at the first time"),
  ]

  private static let provider = JSONValue.object([
    "name": .string("provider"), "in": .string("path"), "required": .bool(true), "schema": text,
  ])

  private static func query(_ name: String, _ description: String) -> JSONValue {
    .object([
      "name": .string(name), "in": .string("query"), "required": .bool(name == "state"),
      "description": .string(description), "schema": text,
    ])
  }

  private static let form: JSONValue = {
    var properties = JSONObject()
    for (name, _) in fields { properties[name] = text }
    return .object([
      "type": .string("object"), "required": .array([.string("state")]), "properties": .object(properties),
    ])
  }()

  private static let page = JSONValue.object(["text/html": .object(["schema": text])])
  private static let location = JSONValue.object([
    "Location": .object(["required": .bool(true), "schema": text])
  ])
  private static let refused = JSONValue.object(["description": .string("A page that says why not"), "content": page])
}
