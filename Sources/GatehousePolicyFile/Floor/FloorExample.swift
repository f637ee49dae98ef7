extension CodeExample {
  /// P0501, with the floor that is shown with it.
  static let floor = CodeExample(
    .belowFloor, "sessions: {access_token_ttl: 12h}", "sessions: {access_token_ttl: 15m}",
    "The operator's floor (policy.floor in the configuration) says access_token_ttl: 1h. Take a value it allows, or ask the operator."
  )

  /// P0502, as a server says it that sends from no-reply@auth.example.com alone.
  static let sender = CodeExample(
    .senderNotAllowed, "mail: {from: {name: Acme, address: ceo@bank.example}}", "mail: {from: {name: Acme}}",
    "The name alone needs no permission. For an address of the app's own the operator adds it, or its domain, to mail.allowed_from."
  )
}
