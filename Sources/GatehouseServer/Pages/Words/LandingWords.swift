import GatehousePolicy
import GatehouseWire

/// The texts for a browser that comes back from another service on an app's behalf.
struct LandingWords: Sendable {
  /// An account at another service was linked.
  let linked: @Sendable (_ app: String) -> (title: String, text: String)
  /// The advice after a failed return.
  let refusals: @Sendable (ErrorCode) -> (title: String, text: String?)

  static let english = LandingWords(
    linked: { app in ("Connected", "You can close this page and go back to \(app).") },
    refusals: { code in
      switch code {
      case .codeInvalid, .notFound:
        ("That did not work", "It took too long, or began in another browser. Go back to the app and try again.")
      case .providerDenied: ("Not connected", "You did not allow it. Nothing has changed.")
      case .providerScopesMissing:
        ("Not connected yet", "The app needs every permission on the list. Go back to the app and try again.")
      case .providerAccountTaken: (code.entry.title.en, "Go back to the app and choose another account.")
      default: ("That did not work", "Go back to the app and try again in a moment.")
      }
    })

  static let spanish = LandingWords(
    linked: { app in ("Conectado", "Puedes cerrar esta página y volver a \(app).") },
    refusals: { code in
      switch code {
      case .codeInvalid, .notFound:
        ("No ha funcionado", "Tardó demasiado o empezó en otro navegador. Vuelve a la aplicación e inténtalo de nuevo.")
      case .providerDenied: ("Sin conectar", "No diste permiso. No ha cambiado nada.")
      case .providerScopesMissing:
        (
          "Todavía no está conectado",
          "La aplicación necesita todos los permisos de la lista. Vuelve a ella e inténtalo de nuevo."
        )
      case .providerAccountTaken: (code.entry.title.es, "Vuelve a la aplicación y elige otra cuenta.")
      default: ("No ha funcionado", "Vuelve a la aplicación e inténtalo de nuevo en un momento.")
      }
    })
}
