import Foundation
import GatehousePolicyFile

/// The layer of the configuration file.
extension ConfigLayer {
  /// The file that `--config` or `GATEHOUSE_CONFIG` names.
  static func named(_ invocation: Invocation) -> String? {
    invocation[Settings.config] ?? invocation.surroundings["GATEHOUSE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Reads the file that is named, else the first of the installation's that exists, else nothing. A file of the
  /// working directory is read only where it is named: `kek.command` in it would be run.
  /// - Throws: exit 3 where a named file is missing, exit 2 where a file cannot be read.
  static func file(_ invocation: Invocation) throws(Failure) -> ConfigLayer {
    let named = named(invocation)
    for path in named.map({ [$0] }) ?? invocation.surroundings.installation.configurations {
      switch FileText.read(path, limit: Document.maximumBytes) {
      case .success(let bytes): return yaml(bytes, path: path)
      case .failure(let problem) where problem.isMissing && named == nil: continue
      case .failure(let problem): throw Failure(problem.isMissing ? .notFound : .usage, problem.description)
      }
    }
    return ConfigLayer()
  }

  /// The settings of a YAML text, with everything in it that is none.
  static func yaml(_ bytes: [UInt8], path: String) -> ConfigLayer {
    var layer = ConfigLayer()
    let document = Document.parse(bytes, name: path)
    let rendering = Rendering(name: path, lines: document.lines)
    // A file of nothing but comments sets nothing; that is how the file is delivered.
    let findings = document.diagnostics.filter { $0.code != .empty }
    layer.problems = findings.map { oneProblem(rendering.text($0)) }
    guard layer.problems.isEmpty, let root = document.root, !root.isMissing else { return layer }
    layer.read(root, prefix: "", path: path)
    return layer
  }

  /// Without the line end after it: the code that prints problems adds line ends.
  private static func oneProblem(_ text: String) -> String { text.hasSuffix("\n") ? String(text.dropLast()) : text }

  private mutating func read(_ node: Node, prefix: String, path: String) {
    guard let entries = node.map else {
      let place = prefix.isEmpty ? "the file" : String(prefix.dropLast())
      problems.append("\(origin(node.range.start, path)): \(place) must hold settings, not \(node.kindName)")
      return
    }
    for entry in entries {
      let key = prefix + entry.key
      let here = origin(entry.keyRange.start, path)
      if prefix.isEmpty, Settings.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
        read(entry.value, prefix: key + ".", path: path)
      } else if let (setting, isPath) = Self.setting(key) {
        keep(entry.value, setting, isPath: isPath, here, path: path)
      } else {
        problems.append("\(here): \(Quoted(key)) is not a setting" + Suggestion.phrase(for: key, among: Self.keys))
      }
    }
  }

  private mutating func keep(
    _ node: Node, _ setting: any AnySetting, isPath: Bool, _ here: Origin, path: String
  ) {
    guard let text = node.text, !text.isEmpty else {
      problems.append("\(here): \(setting.key) must have one value, not \(node.kindName)")
      return
    }
    if entries[setting.key] != nil {
      problems.append("\(here): \(setting.key) and \(setting.key)_file are both here; keep one")
    }
    entries[setting.key] = Entry(
      text: isPath || setting.isPath ? Self.beside(path, text) : text, origin: origin(node.range.start, path),
      isPath: isPath)
  }

  /// A path as the file means it: from the file's own directory, wherever the program was started.
  private static func beside(_ file: String, _ path: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
    // Links are not resolved and `..` is not removed: behind a link it may lead elsewhere.
    let start = folder.hasPrefix("/") ? "" : FileManager.default.currentDirectoryPath + "/"
    return start + folder + path
  }

  private func origin(_ mark: Mark, _ path: String) -> Origin {
    .file(path: path, line: mark.line, column: mark.column)
  }

  private static func setting(_ key: String) -> (any AnySetting, isPath: Bool)? {
    if let setting = Settings.all.first(where: { $0.key == key }) { return (setting, false) }
    return Settings.all.first { $0.secret && $0.key + "_file" == key }.map { ($0, true) }
  }

  private static let keys = Settings.all.flatMap { $0.secret ? [$0.key, $0.key + "_file"] : [$0.key] }
}

extension Config {
  /// Reads the configuration of a command from file, variables and flags.
  /// - Throws: exit 2 with every problem at once.
  static func load(_ invocation: Invocation) throws(Failure) -> Config { try whole(invocation).0 }

  private static func whole(_ invocation: Invocation) throws(Failure) -> (Config, ConfigReader) {
    let (config, reader) = try read(invocation)
    guard reader.problems.isEmpty else {
      throw Failure(.usage, reader.problems, hint: "gatehouse config show --origin")
    }
    return (config, reader)
  }

  /// As `load`, for a command that says what of the working directory is not read.
  static func loadSaying(_ invocation: Invocation) throws(Failure) -> Config { try readSaying(invocation).0 }

  /// As above, with the settings as they were read.
  static func readSaying(_ invocation: Invocation) throws(Failure) -> (Config, ConfigReader) {
    let (config, reader) = try whole(invocation)
    config.notePassedOver(invocation)
    return (config, reader)
  }

  /// Says what of the working directory looks like a part of the configuration, and is none.
  func notePassedOver(_ invocation: Invocation) {
    for note in installation.passedOver(self, named: ConfigLayer.named(invocation) != nil) {
      invocation.terminal.note("note: \(note)")
    }
  }

  /// The configuration as far as it can be read, with what is wrong and where each value is from.
  static func read(_ invocation: Invocation) throws(Failure) -> (Config, ConfigReader) {
    let layers = [
      try ConfigLayer.file(invocation), .variables(invocation.surroundings), .flags(invocation.values),
    ]
    var reader = ConfigReader(layers, invocation.surroundings)
    let config = Config(&reader)
    return (config, reader)
  }
}
