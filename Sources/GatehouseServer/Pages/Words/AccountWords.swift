/// The page of the account, and what its other pages share.
struct AccountWords: Sendable {
  let heading: String
  let verified: @Sendable (_ email: String) -> String
  let unverified: String
  let verify, profile, password, setPassword, email, devices, connections, export, delete: String
  /// The way from another page to this one.
  let back: String
  /// Before something that needs a fresh proof.
  let proofFirst: String

  static let english = AccountWords(
    heading: "Your account", verified: { "\($0) (verified)" }, unverified: "Not verified yet",
    verify: "Verify your email", profile: "Edit your profile", password: "Change your password",
    setPassword: "Set a password", email: "Change your email", devices: "Where you are signed in",
    connections: "Connected accounts", export: "Download your data", delete: "Delete your account",
    back: "Back to your account", proofFirst: "Before you go on, confirm that it is you.")
  static let spanish = AccountWords(
    heading: "Tu cuenta", verified: { "\($0) (verificado)" }, unverified: "Sin verificar",
    verify: "Verificar tu correo", profile: "Editar tu perfil", password: "Cambiar tu contraseña",
    setPassword: "Crear una contraseña", email: "Cambiar tu correo", devices: "Dónde has iniciado sesión",
    connections: "Cuentas conectadas", export: "Descargar tus datos", delete: "Eliminar tu cuenta",
    back: "Volver a tu cuenta", proofFirst: "Antes de seguir, confirma que eres tú.")
}

/// The page of the profile.
struct ProfileWords: Sendable {
  let heading, save: String
  /// Above the fields that are text.
  let fixed: String
  let nothing: String
  let between: @Sendable (_ least: String, _ most: String) -> String
  /// A field without a value, and the two of a checkbox.
  let none, yes, no: String

  static let english = ProfileWords(
    heading: "Your profile", save: "Save", fixed: "These cannot be changed here:",
    nothing: "There is nothing to change here.", between: { "From \($0) to \($1)" }, none: "Not given", yes: "Yes",
    no: "No")
  static let spanish = ProfileWords(
    heading: "Tu perfil", save: "Guardar", fixed: "Esto no se puede cambiar aquí:",
    nothing: "Aquí no hay nada que cambiar.", between: { "De \($0) a \($1)" }, none: "Sin indicar", yes: "Sí", no: "No")
}

/// The page of the password.
struct PasswordWords: Sendable {
  let heading, lead, current, new, save: String
  /// For people without a password.
  let headingFirst, leadFirst, mail: String

  static let english = PasswordWords(
    heading: "Change your password", lead: "All your other devices are signed out when you save.",
    current: "Current password", new: "New password", save: "Save the new password",
    headingFirst: "Set a password",
    leadFirst: "Your account has no password. We will email you a code. Use it to choose one.", mail: "Send the code")
  static let spanish = PasswordWords(
    heading: "Cambia tu contraseña", lead: "Al guardar se cierra la sesión en los demás dispositivos.",
    current: "Contraseña actual", new: "Contraseña nueva", save: "Guardar la contraseña nueva",
    headingFirst: "Crea una contraseña",
    leadFirst: "Tu cuenta no tiene contraseña. Te enviaremos por correo un código para crear una.",
    mail: "Enviar el código")
}

/// The page that asks for a better password.
struct AdviceWords: Sendable {
  let heading: String
  let from: @Sendable (_ day: String, _ app: String) -> String
  let now: @Sendable (_ app: String) -> String
  let change: String

  static let english = AdviceWords(
    heading: "Choose a stronger password", from: { "From \($0), passwords for \($1) need:" },
    now: { "Passwords for \($0) now need:" }, change: "Change my password")
  static let spanish = AdviceWords(
    heading: "Elige una contraseña más segura", from: { "Desde el \($0), las contraseñas de \($1) necesitan:" },
    now: { "Las contraseñas de \($0) ahora necesitan:" }, change: "Cambiarla")
}

/// The page of the address.
struct EmailWords: Sendable {
  let heading: String
  let lead: @Sendable (_ email: String) -> String
  let new, send: String

  static let english = EmailWords(
    heading: "Change your email", lead: { "Your email is \($0). We will send a code to your new email." },
    new: "New email",
    send: "Send the code")
  static let spanish = EmailWords(
    heading: "Cambia tu correo", lead: { "Tu correo es \($0). Enviaremos un código al correo nuevo." },
    new: "Correo nuevo",
    send: "Enviar el código")
}

/// The page of sessions.
struct DevicesWords: Sendable {
  let heading, lead: String
  /// In place of the lead, where there is no other device.
  let alone: String
  /// A device without a name.
  let unknown: String
  let current: String
  /// Before the moment.
  let lastUsed: String
  let signOut, others: String
  /// The name of a device that a server made of a program and a system.
  let named: @Sendable (_ name: String) -> String

  static let english = DevicesWords(
    heading: "Where you are signed in",
    lead: "Sign out any device that you do not recognize, then change your password.",
    alone: "You are signed in on this device only.", unknown: "A device",
    current: "This browser", lastUsed: "Last used:", signOut: "Sign out",
    others: "Sign out everywhere else", named: { $0 })
  static let spanish = DevicesWords(
    heading: "Dónde has iniciado sesión",
    lead: "Cierra la sesión en los dispositivos que no reconozcas y después cambia tu contraseña.",
    alone: "Solo has iniciado sesión en este dispositivo.", unknown: "Un dispositivo",
    current: "Este navegador", lastUsed: "Último uso:", signOut: "Cerrar sesión",
    others: "Cerrar sesión en los demás dispositivos",
    named: {
      $0.replacing(" on ", with: " en ").replacing("Apple device", with: "dispositivo Apple")
        .replacing(/^App\b/, with: "Aplicación")
    })
}

/// The page of accounts at other services.
struct ConnectionsWords: Sendable {
  let heading, nothing: String
  let since: @Sendable (_ day: String) -> String
  let notConnected: String
  let broken: @Sendable (_ app: String) -> String
  let again: @Sendable (_ provider: String) -> String
  let disconnect: @Sendable (_ provider: String) -> String
  /// Before the button that disconnects what full access needs.
  let needed: @Sendable (_ app: String) -> String

  static let english = ConnectionsWords(
    heading: "Connected accounts", nothing: "No connected accounts.", since: { "Connected since \($0)." },
    notConnected: "Not connected.", broken: { "\($0) no longer has access to this account. Connect it again." },
    again: { "Connect \($0) again" }, disconnect: { "Disconnect \($0)" },
    needed: { "\($0) needs this connection. Without it you cannot use everything in \($0)." })
  static let spanish = ConnectionsWords(
    heading: "Cuentas conectadas", nothing: "No hay cuentas conectadas.", since: { "Conectada desde el \($0)." },
    notConnected: "Sin conectar.", broken: { "\($0) ya no tiene acceso a esta cuenta. Conéctala de nuevo." },
    again: { "Conectar \($0) de nuevo" }, disconnect: { "Desconectar \($0)" },
    needed: { "\($0) necesita esta conexión. Sin ella no podrás usar todo en \($0)." })
}

/// The page that deletes the account.
struct DeleteWords: Sendable {
  let heading: String
  let warning: @Sendable (_ email: String) -> String
  /// For people without a password.
  let plainWarning: @Sendable (_ email: String) -> String
  let button, keep: String
  /// The heading after it.
  let deleted: String

  static let english = DeleteWords(
    heading: "Delete your account",
    warning: {
      "This deletes the account \($0) and everything in it. It cannot be undone. Type your password to go on."
    },
    plainWarning: { "This deletes the account \($0) and everything in it. It cannot be undone." },
    button: "Delete my account", keep: "Keep my account", deleted: "Your account is deleted")
  static let spanish = DeleteWords(
    heading: "Elimina tu cuenta",
    warning: {
      "Esto elimina la cuenta \($0) y todo lo que contiene. No se puede deshacer. Escribe tu contraseña para seguir."
    },
    plainWarning: { "Esto elimina la cuenta \($0) y todo lo que contiene. No se puede deshacer." },
    button: "Eliminar mi cuenta", keep: "Conservar mi cuenta", deleted: "Se ha eliminado tu cuenta")
}

/// The page that hands out a copy of all data.
struct ExportWords: Sendable {
  let heading: String
  let lead: @Sendable (_ app: String) -> String
  let button: String

  static let english = ExportWords(
    heading: "Download your data", lead: { "A file (JSON) with everything that \($0) stores about you." },
    button: "Download")
  static let spanish = ExportWords(
    heading: "Descarga tus datos", lead: { "Un archivo (JSON) con todo lo que \($0) guarda sobre ti." },
    button: "Descargar")
}
