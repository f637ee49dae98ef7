/// The script of the hosted pages, which work without it.
enum PageScript {
  static let file = ScriptFile("gatehouse", PackageResources.gatehouse_js)
  static let bytes = file.bytes
  static let path = file.path
  static let answer = file.answer

  /// The sources for scripts in the policy of a page's content.
  static let sources = "script-src 'self'; connect-src 'self'; "

  /// On a page from which `root` leads to the path that pages and API are below, with the words that it says.
  static func element(_ root: String, _ words: FormWords) -> HTML {
    """
    <script src="\(root)ui/\(path)" data-api="\(root)v1" data-caps="\(words.capsLock)" data-offline="\(words.offline)" data-retry="\(words.retry)" defer></script>
    """
  }
}

/// The script of passkeys, on the pages that have a form for one or something to tell a passkey manager.
enum PasskeyScript {
  static let file = ScriptFile("passkeys", PackageResources.passkeys_js)
  static let answer = file.answer

  /// - Parameter signal: what a passkey manager is told, as JSON.
  static func element(_ root: String, signal: String? = nil) -> HTML {
    let told: HTML = if let signal { " data-signal=\"\(signal)\"" } else { "" }
    return "<script src=\"\(root)ui/\(file.path)\"\(told) defer></script>"
  }

  /// The field that says whether scripts of a page may use passkeys at all.
  static func permission(isUsed: Bool) -> String {
    let origins = isUsed ? "(self)" : "()"
    return "publickey-credentials-get=\(origins), publickey-credentials-create=\(origins)"
  }
}
