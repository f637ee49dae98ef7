extension CodeExample {
  /// P0501, with the floor that is shown with it.
  static let floor = CodeExample(
    .belowFloor, "sessions: {access_token_ttl: 12h}", "sessions: {access_token_ttl: 15m}",
    "The operator's floor (policy.floor in the configuration) says access_token_ttl: 1h. Take a value it allows, or ask the operator."
  )
}
