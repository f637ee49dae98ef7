package import GatehousePolicy

extension ErrorCode {
  /// The HTTP status, and the text for a person.
  package var entry: (status: Int, title: Spoken) {
    switch self {
    case .validationFailed:
      (
        422,
        Spoken("Please check the form", "Revisa el formulario", "Bitte prüfen Sie das Formular", "يُرجى مراجعة النموذج")
      )
    case .invalidCredentials:
      (
        401,
        Spoken(
          "Invalid email or password.", "Correo o contraseña incorrectos.", "E-Mail-Adresse oder Passwort ist falsch.",
          "البريد الإلكتروني أو كلمة المرور غير صحيحة.")
      )
    case .accountExists:
      (
        409,
        Spoken(
          "This email is already registered.", "Este correo ya está registrado.",
          "Diese E-Mail-Adresse ist bereits registriert.", "هذا البريد الإلكتروني مسجّل من قبل.")
      )
    case .accountDisabled:
      (
        403,
        Spoken(
          "This account is disabled.", "Esta cuenta está desactivada.", "Dieses Konto ist deaktiviert.",
          "هذا الحساب معطّل.")
      )
    case .mfaRequired:
      (
        401,
        Spoken(
          "A second step is needed.", "Hace falta un segundo paso.", "Ein zweiter Schritt ist nötig.",
          "يلزم إجراء خطوة ثانية.")
      )
    case .tooManyAttempts:
      (
        429,
        Spoken(
          "Too many attempts. Please wait.", "Demasiados intentos. Espera un poco.",
          "Zu viele Versuche. Bitte warten Sie.", "محاولات كثيرة جدًا. يُرجى الانتظار.")
      )
    case .rateLimited:
      (
        429,
        Spoken(
          "Too many requests. Please wait.", "Demasiadas peticiones. Espera un poco.",
          "Zu viele Anfragen. Bitte warten Sie.", "طلبات كثيرة جدًا. يُرجى الانتظار.")
      )
    case .cooldown:
      (
        429,
        Spoken(
          "Please wait before asking again.", "Espera antes de pedirlo otra vez.",
          "Bitte warten Sie, bevor Sie es erneut anfordern.", "يُرجى الانتظار قبل الطلب مرة أخرى.")
      )
    case .overloaded:
      (
        503,
        Spoken(
          "Busy right now. Please try again.", "Mucha demanda. Inténtalo de nuevo.",
          "Gerade überlastet. Bitte versuchen Sie es noch einmal.", "الخدمة مشغولة الآن. يُرجى المحاولة مرة أخرى.")
      )
    case .tenantNotFound:
      (
        404,
        Spoken(
          "There is no such app here.", "No existe esa aplicación aquí.", "Diese App gibt es hier nicht.",
          "لا يوجد تطبيق كهذا هنا.")
      )
    case .tenantDisabled:
      (
        403,
        Spoken(
          "This app is switched off.", "Esta aplicación está desactivada.", "Diese App ist abgeschaltet.",
          "هذا التطبيق متوقف.")
      )
    case .notFound: (404, Spoken("Not found.", "No encontrado.", "Nicht gefunden.", "غير موجود."))
    case .unauthenticated:
      (
        401,
        Spoken(
          "You must be signed in to continue", "Inicia sesión para continuar", "Melden Sie sich an, um fortzufahren",
          "سجّل الدخول للمتابعة")
      )
    case .tokenExpired:
      (
        401,
        Spoken(
          "Session expired. Please sign in again", "La sesión caducó. Inicia sesión otra vez",
          "Die Sitzung ist abgelaufen. Bitte melden Sie sich erneut an", "انتهت الجلسة. يُرجى تسجيل الدخول مرة أخرى")
      )
    case .forbidden:
      (
        403,
        Spoken(
          "You may not do this.", "No tienes permiso para esto.", "Sie dürfen das nicht tun.", "لا يحق لك القيام بذلك.")
      )
    case .reauthenticationRequired:
      (
        403,
        Spoken(
          "Please confirm that it is you.", "Confirma que eres tú.", "Bitte bestätigen Sie, dass Sie es sind.",
          "يُرجى تأكيد أنك صاحب الحساب.")
      )
    case .accessLimited:
      (
        403,
        Spoken("Something is still missing.", "Todavía falta algo.", "Es fehlt noch etwas.", "لا يزال هناك شيء ناقص.")
      )
    case .refreshTokenInvalid:
      (
        401,
        Spoken(
          "Session expired. Please sign in again", "La sesión caducó. Inicia sesión otra vez",
          "Die Sitzung ist abgelaufen. Bitte melden Sie sich erneut an", "انتهت الجلسة. يُرجى تسجيل الدخول مرة أخرى")
      )
    case .sessionRevoked:
      (
        401,
        Spoken(
          "This session has ended. Please sign in again", "La sesión terminó. Inicia sesión otra vez",
          "Diese Sitzung ist beendet. Bitte melden Sie sich erneut an", "انتهت هذه الجلسة. يُرجى تسجيل الدخول مرة أخرى")
      )
    case .codeInvalid:
      (
        400,
        Spoken(
          "This code or link is not valid.", "El código o enlace no es válido.", "Dieser Code oder Link ist ungültig.",
          "هذا الرمز أو الرابط غير صالح.")
      )
    case .codeExpired:
      (
        400,
        Spoken(
          "This code or link has expired.", "El código o enlace ha caducado.", "Dieser Code oder Link ist abgelaufen.",
          "انتهت صلاحية هذا الرمز أو الرابط.")
      )
    case .codeUsed:
      (
        400,
        Spoken(
          "This code or link was already used.", "El código o enlace ya se usó.",
          "Dieser Code oder Link wurde bereits verwendet.", "استُخدم هذا الرمز أو الرابط من قبل.")
      )
    case .providerNotLinked:
      (
        409,
        Spoken(
          "Please connect this account first", "Conecta primero esta cuenta", "Verbinden Sie zuerst dieses Konto",
          "اربط هذا الحساب أولًا")
      )
    case .providerLinkBroken:
      (
        409,
        Spoken(
          "Please connect this account again", "Vuelve a conectar esta cuenta", "Verbinden Sie dieses Konto erneut",
          "اربط هذا الحساب من جديد")
      )
    case .providerScopesMissing:
      (
        409,
        Spoken("Some permissions are missing.", "Faltan permisos.", "Es fehlen Berechtigungen.", "بعض الأذونات ناقصة.")
      )
    case .providerError:
      (
        502,
        Spoken(
          "The other service gave an error.", "El otro servicio dio un error.",
          "Der andere Dienst hat einen Fehler gemeldet.", "أبلغت الخدمة الأخرى عن خطأ.")
      )
    case .providerUnavailable:
      (
        503,
        Spoken(
          "The other service is unavailable.", "El otro servicio no está disponible.",
          "Der andere Dienst ist nicht erreichbar.", "الخدمة الأخرى غير متاحة.")
      )
    case .conflict:
      (
        409,
        Spoken(
          "Someone else changed this just now.", "Alguien lo cambió justo ahora.",
          "Das wurde gerade von anderer Seite geändert.", "غيّر شخص آخر هذا للتو.")
      )
    case .idempotencyConflict:
      (
        422,
        Spoken(
          "This key was used for another request.", "Esta clave se usó en otra petición.",
          "Dieser Schlüssel wurde für eine andere Anfrage verwendet.", "استُخدم هذا المفتاح لطلب آخر.")
      )
    case .payloadTooLarge:
      (
        413,
        Spoken(
          "The request is too large.", "La petición es demasiado grande.", "Die Anfrage ist zu groß.", "الطلب كبير جدًا."
        )
      )
    case .malformedRequest:
      (
        400,
        Spoken(
          "The request is not well formed.", "La petición está mal formada.", "Die Anfrage ist fehlerhaft.",
          "صيغة الطلب غير صحيحة.")
      )
    case .unsupportedMediaType:
      (
        415,
        Spoken(
          "Send application/json.", "Envía application/json.", "Senden Sie application/json.",
          "أرسل \u{2066}application/json\u{2069}.")
      )
    case .methodNotAllowed:
      (
        405,
        Spoken(
          "This method is not allowed here.", "Este método no se permite aquí.",
          "Diese Methode ist hier nicht erlaubt.", "هذه الطريقة غير مسموح بها هنا.")
      )
    case .internal:
      (
        500,
        Spoken(
          "Something went wrong on our side.", "Algo falló de nuestro lado.",
          "Auf unserer Seite ist etwas schiefgegangen.", "حدث خطأ من جانبنا.")
      )
    case .unknownOutcome:
      (
        503,
        Spoken(
          "It is unknown whether this worked.", "No se sabe si esto funcionó.",
          "Es ist nicht bekannt, ob das geklappt hat.", "لا يُعرف ما إذا نجح ذلك.")
      )
    case .providerTokenInvalid:
      (
        401,
        Spoken(
          "The other service did not confirm who you are.", "El otro servicio no confirmó quién eres.",
          "Der andere Dienst hat Ihre Identität nicht bestätigt.", "لم تؤكد الخدمة الأخرى هويتك.")
      )
    case .providerDenied:
      (409, Spoken("You did not allow this.", "No lo permitiste.", "Sie haben das nicht erlaubt.", "لم تسمح بذلك."))
    case .providerAccountTaken:
      (
        409,
        Spoken(
          "This account is connected to another user.", "Esta cuenta está conectada con otra persona.",
          "Dieses Konto ist mit einer anderen Person verbunden.", "هذا الحساب مرتبط بمستخدم آخر.")
      )
    case .lastSignInMethod:
      (
        409,
        Spoken(
          "This is your only way to sign in.", "Es tu única forma de iniciar sesión.",
          "Das ist Ihre einzige Möglichkeit, sich anzumelden.", "هذه طريقتك الوحيدة لتسجيل الدخول.")
      )
    case .attestRequired:
      (
        403,
        Spoken("Please use the app.", "Usa la aplicación.", "Bitte verwenden Sie die App.", "يُرجى استخدام التطبيق.")
      )
    case .attestInvalid:
      (
        403,
        Spoken(
          "This copy of the app could not be verified.", "No se pudo verificar esta copia de la aplicación.",
          "Diese Kopie der App konnte nicht geprüft werden.", "تعذّر التحقق من هذه النسخة من التطبيق.")
      )
    // The HTTP layer's, before a route is known.
    case .requestTimeout:
      (
        408,
        Spoken(
          "The request took too long.", "La petición tardó demasiado.", "Die Anfrage hat zu lange gedauert.",
          "استغرق الطلب وقتًا طويلًا.")
      )
    case .uriTooLong:
      (
        414,
        Spoken(
          "The address is too long.", "La dirección es demasiado larga.", "Die Adresse ist zu lang.",
          "العنوان طويل جدًا.")
      )
    case .expectationFailed:
      (
        417,
        Spoken(
          "Expect only 100-continue.", "Solo se admite 100-continue en Expect.",
          "Als Expect ist nur 100-continue möglich.", "لا يُقبل في Expect إلا \u{2066}100-continue\u{2069}.")
      )
    case .headerFieldsTooLarge:
      (
        431,
        Spoken(
          "The header fields are too large.", "Los campos de cabecera son demasiado grandes.",
          "Die Kopfzeilen sind zu groß.", "حقول الترويسة كبيرة جدًا.")
      )
    case .notImplemented:
      (
        501,
        Spoken(
          "This transfer coding is not supported.", "Esta codificación no se admite.",
          "Diese Übertragungskodierung wird nicht unterstützt.", "ترميز النقل هذا غير مدعوم.")
      )
    case .httpVersionNotSupported:
      (
        505,
        Spoken(
          "Use HTTP/1.1 or HTTP/2.", "Usa HTTP/1.1 o HTTP/2.", "Verwenden Sie HTTP/1.1 oder HTTP/2.",
          "استخدم \u{2066}HTTP/1.1\u{2069} أو \u{2066}HTTP/2\u{2069}.")
      )
    case .passkeyInvalid:
      (
        401,
        Spoken(
          "This passkey was not accepted.", "No se ha aceptado esta llave de acceso.",
          "Dieser Passkey wurde nicht angenommen.", "لم يُقبل مفتاح المرور هذا.")
      )
    case .passkeysUnavailable:
      (
        409,
        Spoken(
          "Passkeys are not available here.", "Las llaves de acceso no están disponibles aquí.",
          "Passkeys sind hier nicht verfügbar.", "مفاتيح المرور غير متاحة هنا.")
      )
    // The admin API's.
    case .refused:
      (
        422,
        Spoken(
          "The operation was refused.", "La operación se ha rechazado.", "Der Vorgang wurde abgelehnt.", "رُفضت العملية."
        )
      )
    case .exists: (409, Spoken("It exists already.", "Ya existe.", "Das gibt es bereits.", "موجود من قبل."))
    case .consentRequired:
      (
        409,
        Spoken("Confirm this change.", "Confirma este cambio.", "Bestätigen Sie diese Änderung.", "أكّد هذا التغيير.")
      )
    case .revisionStale:
      (
        412,
        Spoken(
          "Another revision is live.", "Hay otra revisión en vigor.", "Eine andere Revision ist in Kraft.",
          "توجد مراجعة أخرى سارية.")
      )
    case .preconditionRequired:
      (428, Spoken("Send If-Match.", "Envía If-Match.", "Senden Sie If-Match.", "أرسل \u{2066}If-Match\u{2069}."))
    }
  }
}
