import GatehousePolicyFile

extension ConfigLayer {
  /// The variables `GATEHOUSE_…`, and `GATEHOUSE_…_FILE` for secrets. Unknown names are left alone: an orchestrator
  /// makes some for a service called gatehouse. `config check` lists them.
  static func variables(_ surroundings: Surroundings) -> ConfigLayer {
    var layer = ConfigLayer()
    for setting in Settings.all {
      let name = setting.variable
      // An empty variable is how a shell or a unit file unsets one.
      let value = surroundings[name].flatMap { $0.isEmpty ? nil : $0 }
      let path = setting.secret ? surroundings[name + "_FILE"].flatMap { $0.isEmpty ? nil : $0 } : nil
      if value != nil, path != nil { layer.problems.append("\(name): \(name)_FILE is set as well; keep one") }
      if let value {
        layer.entries[setting.key] = Entry(text: value, origin: .variable(name))
      } else if let path {
        layer.entries[setting.key] = Entry(text: path, origin: .variable(name + "_FILE"), isPath: true)
      }
    }
    return layer
  }

  /// The flags of this command line.
  static func flags(_ values: Parser.Values) -> ConfigLayer {
    var layer = ConfigLayer()
    for setting in Settings.all {
      guard let name = setting.flagName, let text = values.flags[name]?.last else { continue }
      layer.entries[setting.key] = Entry(text: text, origin: .flag(name))
    }
    return layer
  }

  /// Variables that look like settings and are none, each with what was probably meant.
  static func unknownVariables(_ surroundings: Surroundings) -> [String] {
    let known =
      Settings.all.flatMap { $0.secret ? [$0.variable, $0.variable + "_FILE"] : [$0.variable] }
      + ["GATEHOUSE_CONFIG"] + ServerFlags.variables
    return surroundings.environment.keys.filter { $0.hasPrefix("GATEHOUSE_") && !known.contains($0) }.sorted()
      .map { "\($0) is not a setting" + Suggestion.phrase(for: $0, among: known) }
  }
}
