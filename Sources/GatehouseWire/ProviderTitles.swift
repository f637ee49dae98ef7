extension ErrorCode {
  /// The text of a refusal that a provider is the reason of, with the provider as people call it; nil for every other
  /// code.
  package func title(naming provider: String) -> (en: String, es: String)? {
    switch self {
    case .providerNotLinked: ("Please connect your \(provider) account", "Conecta tu cuenta de \(provider)")
    case .providerLinkBroken:
      ("Please connect your \(provider) account again", "Vuelve a conectar tu cuenta de \(provider)")
    case .providerScopesMissing:
      ("Some permissions are missing at \(provider).", "Faltan permisos en \(provider).")
    case .providerError: ("\(provider) gave an error.", "\(provider) dio un error.")
    case .providerUnavailable:
      ("\(provider) is unavailable right now.", "\(provider) no está disponible en este momento.")
    case .providerTokenInvalid: ("\(provider) did not confirm who you are.", "\(provider) no confirmó quién eres.")
    case .providerDenied: ("You did not allow this at \(provider).", "No lo permitiste en \(provider).")
    case .providerAccountTaken:
      (
        "This \(provider) account is connected to another user.",
        "Esta cuenta de \(provider) está conectada con otra persona."
      )
    default: nil
    }
  }
}
