/// The sentences for a server that was not reached. All others come from the server, in its words.
enum Sentences {
  private static let catalogue: [AuthError.Code: (en: String, es: String)] = [
    .network: ("Network error. Please check your connection.", "Error de red. Comprueba tu conexión."),
    .storage: ("Unlock this device and try again.", "Desbloquea este dispositivo e inténtalo de nuevo."),
    .storageNotEntitled: (
      "This app may not use the key chain. Add the capability Keychain Sharing in Xcode, and sign the app.",
      "Esta app no puede usar el llavero. Añade la capacidad Keychain Sharing en Xcode y firma la app."
    ),
    .cancelled: ("Cancelled.", "Cancelado."),
    .unauthenticated: ("You must be signed in to continue", "Inicia sesión para continuar"),
    .accessDenied: ("You did not sign in.", "No has iniciado sesión."),
    .codeInvalid: ("This code or link is not valid.", "El código o enlace no es válido."),
    .codeExpired: ("This code or link has expired.", "El código o enlace ha caducado."),
    .payloadTooLarge: ("This is too large to be sent.", "Es demasiado grande para enviarlo."),
    .passwordsDiffer: ("Passwords do not match.", "Las contraseñas no coinciden."),
    .unknown: ("An unexpected error occurred.", "Se produjo un error inesperado."),
  ]

  private static let reasons: [SignedOutReason: (en: String, es: String)] = [
    .expired: ("Session expired. Please sign in again.", "La sesión ha caducado. Vuelve a iniciar sesión."),
    .revoked: ("You were signed out. Please sign in again.", "Se ha cerrado tu sesión. Vuelve a iniciarla."),
    .disabled: ("This account is disabled.", "Esta cuenta está desactivada."),
    .deleted: ("Your account is deleted.", "Tu cuenta se ha eliminado."),
    .elsewhere: ("You were signed out. Please sign in again.", "Se ha cerrado tu sesión. Vuelve a iniciarla."),
    .confirmed: ("Your email is confirmed. Please sign in.", "Tu correo está confirmado. Inicia sesión."),
  ]

  /// The sentence in the first language that there is one in; English otherwise.
  static func text(_ code: AuthError.Code, languages: [String]) -> String {
    text(catalogue[code] ?? catalogue[.unknown] ?? ("An unexpected error occurred.", ""), languages)
  }

  /// The sentence for a person that was signed out; nil where there is nothing to say.
  static func text(_ reason: SignedOutReason, languages: [String]) -> String? {
    reasons[reason].map { text($0, languages) }
  }

  private static func text(_ entry: (en: String, es: String), _ languages: [String]) -> String {
    for language in languages {
      switch language.prefix(2).lowercased() {
      case "en": return entry.en
      case "es": return entry.es
      default: continue
      }
    }
    return entry.en
  }
}
