import Foundation
import GatehouseAssembly
import GatehousePolicy
import GatehousePostgres
import GatehousePrimitives
import GatehouseServer
import GatehouseServerTesting
import GatehouseTesting
import Testing

@testable import GatehouseIdentity

/// The same for words that take a database or a server to see.
@Suite("Stored and wire words of a running server")
struct ServedWordsTests {
  @Test("what is sealed where, the JSON in it, and digests")
  func sealed() throws {
    var words = WordList()
    words.add("contexts of sealing", SealedWords.contexts)
    words.add("digests", try SealedWords.digests())
    words.add("values", try SealedWords.values())
    try words.expect("sealed")
  }

  @Test("operations and members of the public API")
  func publicAPI() throws {
    var words = WordList()
    for group in DescribedWords.groups(of: OpenAPI.document("https://auth.example.com")) {
      words.add(group.title, group.words)
    }
    try words.expect("api")
  }

  @Test("operations and members of the admin API")
  func adminAPI() throws {
    var words = WordList()
    for group in DescribedWords.groups(of: AdminDescription.document) { words.add(group.title, group.words) }
    try words.expect("admin-api")
  }

  @Test("tables with their columns, functions, constraints and roles")
  func schema() async throws {
    let database = try await TestDatabase.make()
    let connected = try await database.connect()
    var words = WordList()
    for (title, statement) in SchemaQueries.all {
      words.add(title, try await connected.read(nil, statement).map { try $0[0] as String })
    }
    await connected.stop()
    try await database.drop()
    try words.expect("schema")
  }

  @Test("names and labels of metrics")
  func metrics() async throws {
    try await ServedApp.run { _, _, app in
      let users = TestClient(app.url + "/t/dd-ride")
      _ = try await users.post("/v1/sign-in", #"{"email":"a@example.com","password":"wrong password"}"#)
      _ = try await users.post("/v1/sign-up", #"{"email":"a@example.com","password":"short"}"#)
      var text = ""
      _ = try await eventually {
        text = try await TestClient(app.operations).get("/metrics").text
        return text.contains("\ngatehouse_outbox_waiting ")
      }
      var words = WordList()
      words.add("metrics and their labels", MetricWords.names(text))
      words.add(
        "words of labels", MetricWords.values(text, of: ["kind", "reason", "result", "state", "verdict"]))
      words.add("names of metrics in code, without endings", try SourceWords.metrics())
      try words.expect("metrics")
    }
  }

  @Test("a webhook's message")
  func webhook() async throws {
    try await SharedServer.run { server in
      let tenant = try #require(server.services.registry.all.first { $0.name.description == "dd-ride" })
      let words = try WebhookWords.messages(tenant)
      try words.expect("webhooks")
    }
  }
}

/// What an exposition text holds.
enum MetricWords {
  /// `name{label,label}` of each sample.
  static func names(_ text: String) -> Set<String> {
    Set(
      text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
        let labels = line.matches(of: /[{,](\w+)="/).map { String($0.1) }.sorted().joined(separator: ",")
        return line.prefix { $0 != "{" && $0 != " " } + "{\(labels)}"
      })
  }

  /// `label = word` of labels that have a few words each.
  static func values(_ text: String, of labels: Set<String>) -> Set<String> {
    Set(
      text.matches(of: /[{,](\w+)="([^"]*)"/).filter { labels.contains(String($0.1)) }.map { "\($0.1) = \($0.2)" })
  }
}

/// Messages to webhooks, by the events that they are about.
enum WebhookWords {
  static func messages(_ tenant: TenantSnapshot) throws -> WordList {
    let (endpoint, moment) = (SealedWords.id(3), Date(timeIntervalSince1970: 1_700_000_000))
    let hook = WebhookEndpoint(
      id: endpoint, url: "https://hook.example", events: WebhookEvent.allCases, fields: ["email", "name"],
      sealedSecret: try tenant.vault.seal([UInt8](repeating: 7, count: 32), for: .webhookSecret(endpoint)),
      createdAt: moment)
    let user = StoredUser(
      id: UserID(SealedWords.id(2)), email: "ann@example.com", profile: ["name": .string("Ann")],
      createdAt: moment, updatedAt: moment)
    var words = WordList()
    for event in WebhookEvent.allCases {
      let delivery = WebhookDelivery(
        id: SealedWords.id(4), endpoint: endpoint, event: event,
        user: event == .policyApplied ? nil : user.id, revision: 5, at: moment, attempts: 0)
      let message = try WebhookMessage.make(delivery, to: hook, about: user, tenant, at: moment)
      let headers = message.headers.map { "\($0.name): \($0.value)" }
      words.add(event.rawValue, headers + [String(decoding: message.body, as: UTF8.self)])
    }
    return words
  }
}
