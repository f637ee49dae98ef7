#if canImport(SwiftUI)
  import GatehouseClient
  import GatehousePolicy
  import SwiftUI

  /// The words of the screens in one language: the first of the person's languages that there are words in. What the
  /// server and the client say, such as errors and rules, comes from there.
  struct Words {
    private let language: Language

    /// The words for these languages, best first.
    init(_ languages: [String]) { language = Language(bestOf: languages) }

    var signInTo: String {
      Spoken("Sign in", "Inicia sesión", "Anmelden", "تسجيل الدخول")[language]
    }
    var email: String {
      Spoken("Email", "Correo electrónico", "E-Mail", "البريد الإلكتروني")[language]
    }
    var password: String {
      Spoken("Password", "Contraseña", "Passwort", "كلمة المرور")[language]
    }
    var currentPassword: String {
      Spoken("Current password", "Contraseña actual", "Aktuelles Passwort", "كلمة المرور الحالية")[language]
    }
    var newPassword: String {
      Spoken("New password", "Contraseña nueva", "Neues Passwort", "كلمة المرور الجديدة")[language]
    }
    var passwordAgain: String {
      Spoken("Password again", "Repite la contraseña", "Passwort wiederholen", "أعد كتابة كلمة المرور")[language]
    }
    var showPassword: String {
      Spoken("Show password", "Mostrar la contraseña", "Passwort anzeigen", "إظهار كلمة المرور")[language]
    }
    var hidePassword: String {
      Spoken("Hide password", "Ocultar la contraseña", "Passwort verbergen", "إخفاء كلمة المرور")[language]
    }
    var code: String {
      Spoken("Code", "Código", "Code", "الرمز")[language]
    }
    var forgot: String {
      Spoken("Forgot your password?", "¿Has olvidado tu contraseña?", "Passwort vergessen?", "هل نسيت كلمة المرور؟")[
        language]
    }
    var createAccount: String {
      Spoken("Create an account", "Crear una cuenta", "Konto erstellen", "إنشاء حساب")[language]
    }
    var haveAccount: String {
      Spoken("I have an account", "Ya tengo una cuenta", "Ich habe ein Konto", "لدي حساب")[language]
    }
    var create: String {
      Spoken("Create account", "Crear la cuenta", "Konto erstellen", "إنشاء الحساب")[language]
    }
    var terms: String {
      Spoken("Terms of service", "Condiciones del servicio", "Nutzungsbedingungen", "شروط الخدمة")[language]
    }
    var privacy: String {
      Spoken("Privacy policy", "Política de privacidad", "Datenschutzerklärung", "سياسة الخصوصية")[language]
    }
    var needs: String {
      Spoken("Your password needs:", "Tu contraseña necesita:", "Ihr Passwort braucht:", "يجب أن تتضمن كلمة المرور:")[
        language]
    }
    var met: String {
      Spoken("met", "cumplido", "erfüllt", "مستوفى")[language]
    }
    var notMet: String {
      Spoken("not met", "no cumplido", "nicht erfüllt", "غير مستوفى")[language]
    }
    var recommended: String {
      Spoken("recommended", "recomendado", "empfohlen", "موصى به")[language]
    }
    var checkedLater: String {
      Spoken("checked when you send", "se comprueba al enviar", "wird beim Senden geprüft", "يُتحقق منه عند الإرسال")[
        language]
    }
    var checkMail: String {
      Spoken("Check your mail", "Revisa tu correo", "Sehen Sie in Ihre E-Mails", "تحقق من بريدك")[language]
    }
    var confirm: String {
      Spoken("Confirm", "Confirmar", "Bestätigen", "تأكيد")[language]
    }
    var verified: String {
      Spoken(
        "I've verified my email", "Ya he verificado mi correo", "Ich habe meine E-Mail bestätigt",
        "لقد أكدت بريدي الإلكتروني")[language]
    }
    var notVerified: String {
      Spoken(
        "The address is not verified yet.", "La dirección aún no está verificada.",
        "Die Adresse ist noch nicht bestätigt.", "لم يتم تأكيد العنوان بعد.")[language]
    }
    var resend: String {
      Spoken("Send it again", "Enviarlo de nuevo", "Erneut senden", "أرسله مرة أخرى")[language]
    }
    var tryAgain: String {
      Spoken("Try again", "Reintentar", "Erneut versuchen", "حاول مرة أخرى")[language]
    }
    var working: String {
      Spoken("working", "en curso", "in Arbeit", "قيد التنفيذ")[language]
    }
    var signOut: String {
      Spoken("Sign out", "Cerrar sesión", "Abmelden", "تسجيل الخروج")[language]
    }
    var cancel: String {
      Spoken("Cancel", "Cancelar", "Abbrechen", "إلغاء")[language]
    }
    var sendMail: String {
      Spoken("Send the mail", "Enviar el correo", "E-Mail senden", "إرسال البريد")[language]
    }
    var anotherAddress: String {
      Spoken("Use another address", "Usar otra dirección", "Andere Adresse verwenden", "استخدام عنوان آخر")[language]
    }
    var choosePassword: String {
      Spoken(
        "Choose a new password", "Elige una contraseña nueva", "Wählen Sie ein neues Passwort", "اختر كلمة مرور جديدة")[
          language]
    }
    var savePassword: String {
      Spoken(
        "Save the new password", "Guardar la contraseña nueva", "Neues Passwort speichern", "حفظ كلمة المرور الجديدة")[
          language]
    }
    var passwordSaved: String {
      Spoken(
        "The new password is saved.", "La contraseña nueva se ha guardado.", "Das neue Passwort ist gespeichert.",
        "تم حفظ كلمة المرور الجديدة.")[language]
    }
    var back: String {
      Spoken("Back", "Volver", "Zurück", "رجوع")[language]
    }
    var account: String {
      Spoken("Your account", "Tu cuenta", "Ihr Konto", "حسابك")[language]
    }
    var profile: String {
      Spoken("Profile", "Perfil", "Profil", "الملف الشخصي")[language]
    }
    var oneMore: String {
      Spoken("One more thing", "Una cosa más", "Noch etwas", "شيء واحد بعد")[language]
    }
    var save: String {
      Spoken("Save", "Guardar", "Speichern", "حفظ")[language]
    }
    var continueWord: String {
      Spoken("Continue", "Continuar", "Weiter", "متابعة")[language]
    }
    var saved: String {
      Spoken("Saved.", "Guardado.", "Gespeichert.", "تم الحفظ.")[language]
    }
    var noFields: String {
      Spoken(
        "There is nothing to fill in.", "No hay nada que rellenar.", "Es gibt nichts auszufüllen.", "لا يوجد شيء لملئه."
      )[language]
    }
    var changePassword: String {
      Spoken("Change the password", "Cambiar la contraseña", "Passwort ändern", "تغيير كلمة المرور")[language]
    }
    var changeEmail: String {
      Spoken("Change the address", "Cambiar la dirección", "Adresse ändern", "تغيير العنوان")[language]
    }
    var newEmail: String {
      Spoken("New email", "Correo nuevo", "Neue E-Mail", "البريد الجديد")[language]
    }
    var emailChanged: String {
      Spoken(
        "The new address counts from now on.", "La dirección nueva ya es válida.", "Die neue Adresse gilt ab jetzt.",
        "العنوان الجديد ساري المفعول الآن.")[language]
    }
    var devices: String {
      Spoken("Devices", "Dispositivos", "Geräte", "الأجهزة")[language]
    }
    var thisDevice: String {
      Spoken("This device", "Este dispositivo", "Dieses Gerät", "هذا الجهاز")[language]
    }
    var aDevice: String {
      Spoken("A device", "Un dispositivo", "Ein Gerät", "جهاز")[language]
    }
    var onlyHere: String {
      Spoken(
        "You are signed in nowhere else.", "No tienes la sesión abierta en ningún otro lugar.",
        "Sie sind nirgendwo sonst angemeldet.", "لم تسجّل الدخول في أي مكان آخر.")[language]
    }
    var signOutOthers: String {
      Spoken(
        "Sign out everywhere else", "Cerrar las demás sesiones", "Überall sonst abmelden", "تسجيل الخروج من كل مكان آخر"
      )[language]
    }
    var deleteAccount: String {
      Spoken("Delete my account", "Eliminar mi cuenta", "Mein Konto löschen", "حذف حسابي")[language]
    }
    var cannotUndo: String {
      Spoken(
        "This cannot be undone.", "Esto no se puede deshacer.", "Das kann nicht rückgängig gemacht werden.",
        "لا يمكن التراجع عن هذا.")[language]
    }
    var mailCode: String {
      Spoken("Mail me a code", "Envíame un código por correo", "Code per E-Mail senden", "أرسل لي رمزًا بالبريد")[
        language]
    }
    var proofCode: String {
      Spoken("Code of the mail", "Código del correo", "Code aus der E-Mail", "رمز البريد")[language]
    }
    var unlock: String {
      Spoken("Unlock", "Desbloquear", "Entsperren", "فتح القفل")[language]
    }
    var locked: String {
      Spoken("Your account is locked", "Tu cuenta está bloqueada", "Ihr Konto ist gesperrt", "حسابك مقفل")[language]
    }
    var starting: String {
      Spoken("Starting", "Iniciando", "Wird gestartet", "جارٍ البدء")[language]
    }
    var choose: String {
      Spoken("Choose", "Elegir", "Auswählen", "اختر")[language]
    }
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
        "We sent a mail to \(email). Type its code, or open its link.",
        "Hemos enviado un correo a \(email). Escribe su código o abre su enlace.",
        "Wir haben eine E-Mail an \(email) gesendet. Geben Sie ihren Code ein oder öffnen Sie ihren Link.",
        "أرسلنا بريدًا إلى \(email). اكتب رمزه أو افتح رابطه.")[language]
    }
    func maybeMailed(_ email: String) -> String {
      Spoken(
        "If \(email) has an account, a mail is on its way.", "Si \(email) tiene una cuenta, un correo está en camino.",
        "Wenn es zu \(email) ein Konto gibt, ist eine E-Mail unterwegs.",
        "إذا كان لدى \(email) حساب، فهناك بريد في الطريق.")[language]
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
      Spoken(
        "You can ask again in \(seconds) seconds.", "Puedes pedirlo de nuevo en \(seconds) segundos.",
        "Sie können in \(seconds) Sekunden erneut anfragen.", "يمكنك الطلب مجددًا بعد \(seconds) ثانية.")[language]
    }
    func waitFor(_ seconds: Int) -> String {
      Spoken(
        "Try again in \(seconds) seconds.", "Inténtalo de nuevo en \(seconds) segundos.",
        "Versuchen Sie es in \(seconds) Sekunden erneut.", "حاول مجددًا بعد \(seconds) ثانية.")[language]
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
