import GatehousePrimitives
import GatehouseServer

/// The configuration in force, as the operations listener shows it.
struct ConfigurationReport: Sendable {
  private let reload: Reload
  private let digest: ConfigurationDigest

  init(_ reload: Reload, _ digest: ConfigurationDigest) {
    self.reload = reload
    self.digest = digest
  }

  var detail: ConfigurationDetail {
    let inForce = reload.inForce
    let settings = inForce.settings.map { setting -> (String, JSONValue) in
      var members: JSONObject = [
        "from": .string(setting.origin.kind), "digest": .string(digest.value(setting)),
      ]
      if let files = inForce.files[setting.key], !files.state.isEmpty {
        members["files"] = .object(
          files.state.reduce(into: JSONObject()) { $0[$1.path] = .string(digest.file($1.path, $1.stamp)) })
      }
      return (setting.key, .object(members))
    }
    return ConfigurationDetail(
      needsRestart: inForce.needsRestart, notReloaded: inForce.refused,
      settings: Dictionary(settings, uniquingKeysWith: { first, _ in first }))
  }

  var figures: [Figure] {
    let inForce = reload.inForce
    return [
      .gauge(
        "gatehouse_config_needs_restart", "Settings that have another value by now, which another start takes.",
        inForce.needsRestart.count),
      .gauge(
        "gatehouse_config_not_reloaded", "Settings whose new value or file is of no use, so that the one before stays.",
        inForce.refused.count),
    ]
  }
}

extension Origin {
  /// The kind of place that a value is from.
  var kind: String {
    switch self {
    case .fallback: "default"
    case .file: "file"
    case .variable: "variable"
    case .flag: "flag"
    }
  }
}
