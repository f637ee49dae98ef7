extension CodeExample {
  /// P0100 to P0114: what is wrong with the text.
  static let text: [CodeExample] = [
    CodeExample(
      .encoding,
      wrong: .bytes(Array("app: {name: Caf".utf8) + [0xE9] + Array("}\n".utf8), shown: "app: {name: Caf\\xE9}"),
      right: "app: {name: Café}", fix: "Save the file as UTF-8; the message says where the first wrong byte stands."),
    CodeExample(
      .tooLarge,
      wrong: .bytes([UInt8](repeating: 0x23, count: Document.maximumBytes + 1), shown: "(a file of 262145 bytes)"),
      right: "app: {name: Acme}", fix: "Shorten lists; a deny-list of thousands of domains belongs into a list file."),
    CodeExample(
      .syntax, "theme: {dark_mode: auto", "theme: {dark_mode: auto}",
      "Look at the place and the line before it: close brackets and quotes, put a space after each colon."),
    CodeExample(
      .tooDeep, "theme: [[[[[[[[[[[[auto]]]]]]]]]]]]", "theme: {dark_mode: auto}",
      "Take the value out of the lists or maps around it; no key of a policy nests that deep."),
    CodeExample(
      .character, "# \u{202E}hidden", "# visible",
      "Delete the character; in quotes, leave out the escape that makes it."),
    CodeExample(
      .tab, "theme:\n\tdark_mode: auto", "theme:\n  dark_mode: auto", "Replace each tab by two spaces."),
    CodeExample(
      .duplicateKey, "theme: {dark_mode: auto}\nprivacy: {account_exists: hide, account_exists: reveal}",
      "theme: {dark_mode: auto}\nprivacy: {account_exists: hide}",
      "Keep the one that is meant; the message names the line of the first."),
    CodeExample(
      .unknownKey, "password: {rules: [{id: min8, min_lenght: 8, min_length: 8}]}",
      "password: {rules: [{id: min8, min_length: 8}]}",
      "Take the word that the message suggests, or remove the key."),
    CodeExample(
      .anchor, "app: {name: &name Acme}\ntheme: {dark_mode: auto}", "app: {name: Acme}\ntheme: {dark_mode: auto}",
      "Write the value at every place; put text that begins with & or * in quotes."),
    CodeExample(
      .tag, "theme: {dark_mode: !!str auto}", "theme: {dark_mode: auto}",
      "Leave out the tag; put text that begins with ! in quotes."),
    CodeExample(
      .mergeKey, "theme: {<<: {dark_mode: auto}}", "theme: {dark_mode: auto}", "Write the keys themselves."),
    CodeExample(
      .secondDocument, "theme: {dark_mode: auto}\n---\nprivacy: {account_exists: hide}",
      "theme: {dark_mode: auto}\nprivacy: {account_exists: hide}",
      "Remove the line of dashes, or make two files of it: one tenant, one file."),
    CodeExample(
      .directive, wrong: .file("%YAML 1.1\n---\nschema: gatehouse/policy.v1\n"), right: "schema: gatehouse/policy.v1",
      fix: "Remove the line that begins with %."),
    CodeExample(
      .empty, wrong: .file("# nothing but a comment\n"), right: "schema: gatehouse/policy.v1",
      fix: "Begin with `gatehouse policy init TENANT > policies/TENANT.yaml`."),
    CodeExample(
      .keyNotText, "theme: {[dark_mode]: auto}", "theme: {dark_mode: auto}", "Write the key as one word of text."),
  ]
}
