#if canImport(SwiftUI)
  import GatehouseClient
  import GatehousePolicy
  import SwiftUI

  /// The words of the screens in one language: the first of the person's languages that there are words in. What the
  /// server and the client say, such as errors and rules, comes from there.
  @dynamicMemberLookup
  struct Words {
    let language: Language

    /// The words for these languages, best first.
    init(_ languages: [String]) { language = Language(bestOf: languages) }

    /// `words.password`: a row of the table.
    subscript(dynamicMember row: KeyPath<WordTable, Spoken>) -> String { WordTable.all[keyPath: row][language] }

    func welcome(_ app: String) -> String {
      Spoken("Sign in to \(app)", "Inicia sesión en \(app)", "Bei \(app) anmelden", "تسجيل الدخول إلى \(app)")[language]
    }
    func createFor(_ app: String) -> String {
      Spoken(
        "Create your \(app) account", "Crea tu cuenta de \(app)", "Erstellen Sie Ihr \(app)-Konto",
        "أنشئ حسابك في \(app)")[language]
    }
    func mailed(_ email: String) -> String {
      Spoken(
        "We sent an email to \(email). Type its code, or open its link.",
        "Hemos enviado un correo a \(email). Escribe su código o abre su enlace.",
        "Wir haben eine E-Mail an \(email) gesendet. Geben Sie ihren Code ein oder öffnen Sie ihren Link.",
        "أرسلنا بريدًا إلى \(email). اكتب رمزه أو افتح رابطه.")[language]
    }
    func maybeMailed(_ email: String) -> String {
      Spoken(
        "If \(email) has an account, an email is on its way.",
        "Si \(email) tiene una cuenta, un correo está en camino.",
        "Wenn es zu \(email) ein Konto gibt, ist eine E-Mail unterwegs.",
        "إذا كان لدى \(email) حساب، فهناك بريد في الطريق.")[language]
    }
    func continueWith(_ provider: String) -> String {
      Spoken(
        "Continue with \(provider)", "Continuar con \(provider)", "Mit \(provider) fortfahren",
        "المتابعة باستخدام \(provider)")[language]
    }
    func disconnect(_ provider: String) -> String {
      Spoken("Disconnect \(provider)", "Desconectar \(provider)", "\(provider) trennen", "إلغاء ربط \(provider)")[
        language]
    }
    func connectedSince(_ day: String) -> String {
      Spoken("Connected since \(day)", "Conectada desde \(day)", "Verbunden seit \(day)", "مرتبط منذ \(day)")[language]
    }
    func connect(_ provider: String) -> String {
      Spoken(
        "Connect your \(provider) account", "Conecta tu cuenta de \(provider)", "Verbinden Sie Ihr \(provider)-Konto",
        "اربط حسابك في \(provider)")[language]
    }
    func connectTo(_ provider: String) -> String {
      Spoken("Connect \(provider)", "Conectar \(provider)", "\(provider) verbinden", "ربط \(provider)")[language]
    }
    func lastUsed(_ time: String) -> String {
      Spoken("Last used \(time)", "Último uso: \(time)", "Zuletzt verwendet: \(time)", "آخر استخدام: \(time)")[language]
    }
    func signOutDevice(_ device: String) -> String {
      Spoken("Sign out \(device)", "Cerrar la sesión de \(device)", "\(device) abmelden", "تسجيل الخروج من \(device)")[
        language]
    }
    func deleting(_ email: String) -> String {
      Spoken(
        "Type your password to delete \(email).", "Escribe tu contraseña para eliminar \(email).",
        "Geben Sie Ihr Passwort ein, um \(email) zu löschen.", "اكتب كلمة المرور لحذف \(email).")[language]
    }
    func resendIn(_ seconds: Int) -> String {
      let time = time(seconds)
      return Spoken(
        "You can ask again in \(time).", "Puedes pedirlo de nuevo en \(time).",
        "Sie können in \(time) erneut anfragen.", "يمكنك الطلب مجددًا بعد \(time).")[language]
    }
    func waitFor(_ seconds: Int) -> String {
      let time = time(seconds)
      return Spoken(
        "Try again in \(time).", "Inténtalo de nuevo en \(time).", "Versuchen Sie es in \(time) erneut.",
        "حاول مجددًا بعد \(time).")[language]
    }

    /// Seconds in the form that the language has for their number.
    private func time(_ seconds: Int) -> String {
      counted(
        seconds, CountedWords(one: "1 second", other: "# seconds"), CountedWords(one: "1 segundo", other: "# segundos"),
        CountedWords(one: "1 Sekunde", other: "# Sekunden"),
        CountedWords(one: "ثانية واحدة", two: "ثانيتين", few: "# ثوانٍ", other: "# ثانية"))
    }

    /// Words with a number, in each language.
    func counted(_ count: Int, _ en: CountedWords, _ es: CountedWords, _ de: CountedWords, _ ar: CountedWords) -> String
    {
      let words =
        switch language {
        case .english: en
        case .spanish: es
        case .german: de
        case .arabic: ar
        }
      return words.text(count, in: language)
    }
  }

  extension EnvironmentValues {
    /// The words of the screens.
    var words: Words {
      get { self[WordsKey.self] }
      set { self[WordsKey.self] = newValue }
    }

    /// Whether the look of the policy is there already.
    var isDressed: Bool {
      get { self[DressedKey.self] }
      set { self[DressedKey.self] = newValue }
    }

    private struct DressedKey: EnvironmentKey {
      static let defaultValue = false
    }

    private struct WordsKey: EnvironmentKey {
      static var defaultValue: Words { Words([]) }
    }
  }
#endif
