/// The sentences for a server that was not reached. All others come from the server, in its words.
enum Sentences {
  private static let catalogue: [AuthError.Code: (en: String, es: String)] = [
    .network: ("Network error. Please check your connection.", "Error de red. Comprueba tu conexión."),
    .storage: ("Unlock this device and try again.", "Desbloquea este dispositivo e inténtalo de nuevo."),
    .cancelled: ("Cancelled.", "Cancelado."),
    .unauthenticated: ("You must be signed in to continue", "Inicia sesión para continuar"),
    .accessDenied: ("You did not sign in.", "No has iniciado sesión."),
    .codeInvalid: ("This code or link is not valid.", "El código o enlace no es válido."),
    .codeExpired: ("This code or link has expired.", "El código o enlace ha caducado."),
    .passwordsDiffer: ("Passwords do not match.", "Las contraseñas no coinciden."),
    .unknown: ("An unexpected error occurred.", "Se produjo un error inesperado."),
  ]

  /// The sentence in the first language that there is one in; English otherwise.
  static func text(_ code: AuthError.Code, languages: [String]) -> String {
    let entry = catalogue[code] ?? catalogue[.unknown] ?? ("An unexpected error occurred.", "")
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
