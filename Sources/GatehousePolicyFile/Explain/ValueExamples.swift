extension CodeExample {
  /// P0115 to P0127: values that do not fit their keys.
  static let values: [CodeExample] = [
    CodeExample(
      .missingKey, "app: {support_email: help@acme.example}",
      "app: {name: Acme, support_email: help@acme.example}", "Add the key; the message says what it is for."),
    CodeExample(
      .wrongKind, "theme: dark", "theme: {dark_mode: always}",
      "Write a value, a [list] or a {map: …}, whichever the message asks for."),
    CodeExample(
      .notTrueOrFalse, "verification: {email: {on_sign_up: yes}}", "verification: {email: {on_sign_up: true}}",
      "Write true or false, without quotes."),
    CodeExample(
      .notANumber, "password: {rules: [{id: min8, min_length: \"8\"}]}",
      "password: {rules: [{id: min8, min_length: 8}]}", "Write the number in plain digits, without quotes or a unit."),
    CodeExample(
      .outOfRange, "sessions: {max_per_user: 0}", "sessions: {max_per_user: 1}",
      "Take a value within the bounds that the message names."),
    CodeExample(
      .notADuration, "sessions: {access_token_ttl: 900}", "sessions: {access_token_ttl: 15m}",
      "Add the unit: s, m, h or d."),
    CodeExample(
      .notALimit, "limits: {sign_in_per_ip: 300}", "limits: {sign_in_per_ip: 300/15m}",
      "Write how many and in what time: 10/15m is ten in fifteen minutes."),
    CodeExample(
      .notADate, "password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2999-02-30}]}",
      "password: {rules: [{id: min8, min_length: 8, enforce: warn, enforce_from: 2999-03-01}]}",
      "Write a day that exists as year-month-day."),
    CodeExample(
      .notAChoice, "privacy: {account_exists: hidden}", "privacy: {account_exists: hide}",
      "Take one of the words that the message lists."),
    CodeExample(
      .badText, "app: {name: \"\"}", "app: {name: Acme}", "Write text of the length and form that the message asks for."
    ),
    CodeExample(
      .badCount, "app: {name: Acme, locales: []}", "app: {name: Acme, locales: [en]}",
      "Add or remove members; where the key may be left out, leave it out."),
    CodeExample(
      .repeated, "app: {name: Acme, locales: [en, es, en]}", "app: {name: Acme, locales: [en, es]}",
      "Remove the second."),
    CodeExample(
      .badName, "tenant: Acme Inc", "tenant: acme-inc",
      "Use lower-case letters, digits and the one mark that the message allows."),
  ]
}
