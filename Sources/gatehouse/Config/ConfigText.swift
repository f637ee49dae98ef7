/// Writes `config/gatehouse.yaml` from the table of settings: every setting with its meaning, variable and flag, each
/// commented out at its default (`#key: value`; prose stands after a hash and a blank).
enum ConfigText {
  static var whole: String {
    var text = """
      # Gatehouse, the server's configuration.
      #
      # Every line below is commented out and shows the default, or an example where there is none; remove the hash of
      # what you change, and of the section it stands in. Unknown keys are refused. What differs from app to app is not
      # here but in its policy file.
      # A variable of the environment wins over this file, a flag wins over both. Secrets may also stand in a file of
      # their own: KEY_file here, GATEHOUSE_KEY_FILE in the environment. A file with a secret that others can read is refused.
      # A relative path here is one from this file's directory; in a variable and a flag it is one from the working directory. Nothing
      # is looked for in the working directory itself: this file is /etc/gatehouse/gatehouse.yaml, or --config names it. A program that
      # runs in the checkout that it was built in looks into the checkout's config/ first.
      # `gatehouse config check` finds what is wrong here, `gatehouse config show --origin` says what is in force and why.

      """
    var section: String?
    for setting in Settings.all {
      let parts = setting.key.split(separator: ".").map(String.init)
      text += "\n"
      if parts.count > 1, section != parts[0] { text += "#\(parts[0]):\n" }
      section = parts.count > 1 ? parts[0] : nil
      text += lines(setting, indent: parts.count > 1 ? "  " : "", name: parts[parts.count - 1])
    }
    return text
  }

  private static func lines(_ setting: any AnySetting, indent: String, name: String) -> String {
    let summary = setting.summary.prefix(1).uppercased() + setting.summary.dropFirst() + "."
    let ways = [setting.variable] + (setting.flagName.map { ["--\($0)"] } ?? [])
    let fallback = setting.fallbackText.map { "default \($0)" } ?? "no default"
    var text = "# \(indent)\(summary)\n"
    text += "# \(indent)\(capital(setting.expects)); \(fallback).\n"
    text += "# \(indent)\(ways.joined(separator: ", ")). \(setting.taken.sentence)\n"
    text += "#\(indent)\(name): \(setting.example ?? setting.fallbackText ?? "")\n"
    if setting.secret { text += "#\(indent)\(name)_file: /run/secrets/\(name)\n" }
    return text
  }

  private static func capital(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
