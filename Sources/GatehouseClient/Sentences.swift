import Foundation
import GatehousePolicy
import GatehouseWire

/// The sentences for a server that was not reached. All others come from the server, in its words.
enum Sentences {
  private static let catalogue: [AuthError.Code: Spoken] = [
    .network: Spoken(
      "Network error. Please check your connection.", "Error de red. Comprueba tu conexión.",
      "Netzwerkfehler. Bitte prüfen Sie Ihre Verbindung.", "خطأ في الشبكة. يُرجى التحقق من اتصالك."),
    .storage: Spoken(
      "Unlock this device and try again.", "Desbloquea este dispositivo e inténtalo de nuevo.",
      "Entsperren Sie dieses Gerät und versuchen Sie es erneut.", "افتح قفل هذا الجهاز وحاول مرة أخرى."),
    .storageNotEntitled: Spoken(
      "This app may not use the key chain. Add the capability Keychain Sharing in Xcode, and sign the app.",
      "Esta app no puede usar el llavero. Añade la capacidad Keychain Sharing en Xcode y firma la app.",
      "Diese App darf den Schlüsselbund nicht verwenden. Fügen Sie in Xcode die Fähigkeit Keychain Sharing hinzu und "
        + "signieren Sie die App.",
      "لا يحق لهذا التطبيق استخدام سلسلة المفاتيح. أضف القدرة Keychain Sharing في Xcode ووقّع التطبيق."),
    .locked: Spoken(
      "Unlock to continue with your account.", "Desbloquea para continuar con tu cuenta.",
      "Entsperren Sie, um mit Ihrem Konto fortzufahren.", "افتح القفل للمتابعة بحسابك."),
    .unlockFailed: Spoken(
      "That did not unlock your account. Please try again.", "Tu cuenta no se ha desbloqueado. Inténtalo de nuevo.",
      "Ihr Konto wurde nicht entsperrt. Bitte versuchen Sie es erneut.", "لم يُفتح قفل حسابك. حاول مرة أخرى."),
    .unlockUnavailable: Spoken(
      "Set a passcode on this device, then try again.", "Configura un código en este dispositivo e inténtalo de nuevo.",
      "Richten Sie auf diesem Gerät einen Code ein und versuchen Sie es erneut.",
      "عيّن رمز دخول على هذا الجهاز ثم حاول مرة أخرى."),
    .attestUnsupported: Spoken(
      "This app cannot be verified on this device. Please use another device.",
      "Esta app no se puede verificar en este dispositivo. Usa otro dispositivo.",
      "Diese App lässt sich auf diesem Gerät nicht überprüfen. Bitte verwenden Sie ein anderes Gerät.",
      "لا يمكن التحقق من هذا التطبيق على هذا الجهاز. يُرجى استخدام جهاز آخر."),
    .attestUnavailable: Spoken(
      "This app could not be verified. Please try again later.",
      "No se ha podido verificar esta app. Inténtalo de nuevo más tarde.",
      "Diese App konnte nicht überprüft werden. Bitte versuchen Sie es später erneut.",
      "تعذّر التحقق من هذا التطبيق. يُرجى المحاولة لاحقًا."),
    .cancelled: Spoken("Cancelled.", "Cancelado.", "Abgebrochen.", "أُلغي."),
    .unauthenticated: Spoken(
      "You must be signed in to continue", "Inicia sesión para continuar", "Melden Sie sich an, um fortzufahren",
      "سجّل الدخول للمتابعة"),
    .accessDenied: Spoken(
      "You did not sign in.", "No has iniciado sesión.", "Sie haben sich nicht angemeldet.", "لم تسجّل الدخول."),
    .codeInvalid: Spoken(
      "This code or link is not valid.", "El código o enlace no es válido.", "Dieser Code oder Link ist ungültig.",
      "هذا الرمز أو الرابط غير صالح."),
    .codeExpired: Spoken(
      "This code or link has expired.", "El código o enlace ha caducado.", "Dieser Code oder Link ist abgelaufen.",
      "انتهت صلاحية هذا الرمز أو الرابط."),
    .payloadTooLarge: Spoken(
      "This is too large to be sent.", "Es demasiado grande para enviarlo.", "Das ist zu groß zum Senden.",
      "هذا كبير جدًا ولا يمكن إرساله."),
    .validationFailed: ErrorCode.validationFailed.entry.title,
    .missing: Spoken(
      "Please fill this in.", "Rellena este campo.", "Bitte füllen Sie dieses Feld aus.", "يُرجى ملء هذا الحقل."),
    .passwordsDiffer: Spoken(
      "Passwords do not match.", "Las contraseñas no coinciden.", "Die Passwörter stimmen nicht überein.",
      "كلمتا المرور غير متطابقتين."),
    .unknown: unknown,
  ]

  private static let unknown = Spoken(
    "An unexpected error occurred.", "Se produjo un error inesperado.", "Ein unerwarteter Fehler ist aufgetreten.",
    "حدث خطأ غير متوقع.")

  private static let addresses = Spoken(
    "This app uses the server at %1, and the server calls itself %2. Its developer gives both the same address.",
    "Esta app usa el servidor en %1, y el servidor se llama %2. Su desarrollador les da la misma dirección.",
    "Diese App verwendet den Server unter %1, und der Server nennt sich %2. Ihr Entwickler gibt beiden dieselbe Adresse.",
    "يستخدم هذا التطبيق الخادم على %1، ويسمّي الخادم نفسه %2. يعطي مطوّر التطبيق كليهما العنوان نفسه.")

  private static let reasons: [SignedOutReason: Spoken] = [
    .expired: Spoken(
      "Session expired. Please sign in again.", "La sesión ha caducado. Vuelve a iniciar sesión.",
      "Die Sitzung ist abgelaufen. Bitte melden Sie sich erneut an.", "انتهت الجلسة. يُرجى تسجيل الدخول مرة أخرى."),
    .revoked: Spoken(
      "You were signed out. Please sign in again.", "Se ha cerrado tu sesión. Vuelve a iniciarla.",
      "Sie wurden abgemeldet. Bitte melden Sie sich erneut an.", "تم تسجيل خروجك. يُرجى تسجيل الدخول مرة أخرى."),
    .disabled: Spoken(
      "This account is disabled.", "Esta cuenta está desactivada.", "Dieses Konto ist deaktiviert.", "هذا الحساب معطّل."),
    .deleted: Spoken("Your account is deleted.", "Tu cuenta se ha eliminado.", "Ihr Konto ist gelöscht.", "حُذف حسابك."),
    .elsewhere: Spoken(
      "You were signed out. Please sign in again.", "Se ha cerrado tu sesión. Vuelve a iniciarla.",
      "Sie wurden abgemeldet. Bitte melden Sie sich erneut an.", "تم تسجيل خروجك. يُرجى تسجيل الدخول مرة أخرى."),
    .confirmed: Spoken(
      "Your email is confirmed. Please sign in.", "Tu correo está confirmado. Inicia sesión.",
      "Ihre E-Mail-Adresse ist bestätigt. Bitte melden Sie sich an.", "تم تأكيد بريدك الإلكتروني. يُرجى تسجيل الدخول."),
  ]

  /// The sentence in the first language that there is one in; English otherwise.
  static func text(_ code: AuthError.Code, languages: [String]) -> String {
    (catalogue[code] ?? unknown)[Language(bestOf: languages)]
  }

  /// The sentence about a provider that failed on the device.
  static func text(_ code: AuthError.Code, naming provider: String, languages: [String]) -> String {
    let named = ErrorCode(rawValue: code.rawValue)?.title(naming: GatehousePolicy.Label.provider(provider))
    return (named ?? catalogue[code] ?? unknown)[Language(bestOf: languages)]
  }

  /// The sentence about an address of the configuration, and another one that the server gives itself.
  static func text(server ours: String, differsFrom theirs: String, languages: [String]) -> String {
    addresses[Language(bestOf: languages)].replacing("%1", with: ours)
      .replacing("%2", with: theirs)
  }

  /// The sentence for a person that was signed out; nil where there is nothing to say.
  static func text(_ reason: SignedOutReason, languages: [String]) -> String? {
    reasons[reason].map { $0[Language(bestOf: languages)] }
  }
}
