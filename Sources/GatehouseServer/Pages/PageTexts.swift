import GatehouseIdentity
import GatehouseWire

/// The pages that mails link to. Their raw values are the last part of the path.
enum LinkPage: String, CaseIterable, Sendable {
  case verifyEmail = "verify-email"
  case resetPassword = "reset-password"
  case confirmEmail = "confirm-email"
  case undoEmail = "undo-email"
}

/// What a page says, in one language.
struct PageTexts: Sendable {
  var title: String
  var lead: String
  var button: String
  var done: String

  static func of(_ page: LinkPage, spanish: Bool) -> PageTexts {
    switch (page, spanish) {
    case (.verifyEmail, false):
      PageTexts(
        title: "Verify your email", lead: "Press the button to confirm that this address is yours.",
        button: "Verify my email", done: "Your email is verified. You can go back to the app.")
    case (.verifyEmail, true):
      PageTexts(
        title: "Verifica tu correo", lead: "Pulsa el botón para confirmar que esta dirección es tuya.",
        button: "Verificar mi correo", done: "Tu correo está verificado. Puedes volver a la aplicación.")
    case (.resetPassword, false):
      PageTexts(
        title: "Choose a new password", lead: "It replaces the old one and signs you out everywhere.",
        button: "Save the new password", done: "Your new password is saved. Sign in with it in the app.")
    case (.resetPassword, true):
      PageTexts(
        title: "Elige una contraseña nueva", lead: "Sustituye a la anterior y cierra todas tus sesiones.",
        button: "Guardar la contraseña", done: "Tu contraseña nueva está guardada. Inicia sesión con ella.")
    case (.confirmEmail, false):
      PageTexts(
        title: "Confirm your new address", lead: "Press the button to use this address from now on.",
        button: "Use this address", done: "Your new address is in use. You can go back to the app.")
    case (.confirmEmail, true):
      PageTexts(
        title: "Confirma tu nueva dirección", lead: "Pulsa el botón para usar esta dirección desde ahora.",
        button: "Usar esta dirección", done: "Tu nueva dirección ya está en uso. Puedes volver a la aplicación.")
    case (.undoEmail, false):
      PageTexts(
        title: "Keep your old address", lead: "Press the button if the change was not yours. All sessions end.",
        button: "Undo the change", done: "Your old address is back. Please choose a new password in the app.")
    case (.undoEmail, true):
      PageTexts(
        title: "Conserva tu dirección", lead: "Pulsa el botón si tú no hiciste el cambio. Se cierran las sesiones.",
        button: "Deshacer el cambio",
        done: "Tu dirección anterior ha vuelto. Elige una contraseña nueva en la aplicación.")
    }
  }

  static func newPassword(spanish: Bool) -> String { spanish ? "Contraseña nueva" : "New password" }
  static func repeated(spanish: Bool) -> String { spanish ? "Otra vez" : "Once more" }
  static func differ(spanish: Bool) -> String {
    spanish ? "Las dos contraseñas no son iguales." : "The two passwords are not the same."
  }
  static func noLink(spanish: Bool) -> String {
    spanish
      ? "Abre el enlace de tu correo otra vez, o pide uno nuevo en la aplicación."
      : "Open the link from your mail again, or ask for a new one in the app."
  }
}
