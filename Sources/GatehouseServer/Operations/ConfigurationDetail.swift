package import GatehousePrimitives

/// The configuration that a server runs with, beside the one that it would read now.
package struct ConfigurationDetail: Sendable {
  /// Settings that have another value by now, which another start takes.
  let needsRestart: [String]
  /// Why a setting could not be read again, by its name.
  let notReloaded: [String: String]
  /// Each setting in force, with digests of its value and of its files.
  let settings: [String: JSONValue]

  package init(needsRestart: [String], notReloaded: [String: String], settings: [String: JSONValue]) {
    self.needsRestart = needsRestart
    self.notReloaded = notReloaded
    self.settings = settings
  }

  /// The answer of `/config`.
  var whole: JSONValue {
    var body: JSONObject = ["settings": .object(Self.object(settings))]
    add(to: &body)
    return .object(body)
  }

  /// `config_needs_restart` and `config_not_reloaded`; each only where there is something to say.
  func add(to body: inout JSONObject) {
    if !needsRestart.isEmpty { body["config_needs_restart"] = .array(needsRestart.map(JSONValue.string)) }
    if !notReloaded.isEmpty {
      body["config_not_reloaded"] = .object(Self.object(notReloaded.mapValues(JSONValue.string)))
    }
  }

  private static func object(_ members: [String: JSONValue]) -> JSONObject {
    members.sorted { $0.key < $1.key }.reduce(into: JSONObject()) { $0[$1.key] = $1.value }
  }
}
