#if canImport(SwiftUI)
  import GatehousePolicy

  /// The words of the screens that say nothing of the person, in each language.
  struct WordTable: Sendable {
    static let all = WordTable()

    let signInTo = Spoken("Sign in", "Inicia sesión", "Anmelden", "تسجيل الدخول")
    let email = Spoken("Email", "Correo electrónico", "E-Mail", "البريد الإلكتروني")
    let password = Spoken("Password", "Contraseña", "Passwort", "كلمة المرور")
    let currentPassword = Spoken("Current password", "Contraseña actual", "Aktuelles Passwort", "كلمة المرور الحالية")
    let newPassword = Spoken("New password", "Contraseña nueva", "Neues Passwort", "كلمة المرور الجديدة")
    let passwordAgain = Spoken(
      "Password again", "Repite la contraseña", "Passwort wiederholen", "أعد كتابة كلمة المرور")
    let showPassword = Spoken("Show password", "Mostrar la contraseña", "Passwort anzeigen", "إظهار كلمة المرور")
    let hidePassword = Spoken("Hide password", "Ocultar la contraseña", "Passwort verbergen", "إخفاء كلمة المرور")
    let code = Spoken("Code", "Código", "Code", "الرمز")
    let forgot = Spoken(
      "Forgot your password?", "¿Has olvidado tu contraseña?", "Passwort vergessen?", "هل نسيت كلمة المرور؟")
    let createAccount = Spoken("Create an account", "Crear una cuenta", "Konto erstellen", "إنشاء حساب")
    let haveAccount = Spoken("I have an account", "Ya tengo una cuenta", "Ich habe ein Konto", "لدي حساب")
    let create = Spoken("Create account", "Crear la cuenta", "Konto erstellen", "إنشاء الحساب")
    let terms = Spoken("Terms of service", "Condiciones del servicio", "Nutzungsbedingungen", "شروط الخدمة")
    let privacy = Spoken("Privacy policy", "Política de privacidad", "Datenschutzerklärung", "سياسة الخصوصية")
    let needs = Spoken(
      "Your password needs:", "Tu contraseña necesita:", "Ihr Passwort braucht:", "يجب أن تتضمن كلمة المرور:")
    let met = Spoken("met", "cumplido", "erfüllt", "مستوفى")
    let notMet = Spoken("not met", "no cumplido", "nicht erfüllt", "غير مستوفى")
    let recommended = Spoken("recommended", "recomendado", "empfohlen", "موصى به")
    let checkedLater = Spoken(
      "checked when you send", "se comprueba al enviar", "wird beim Senden geprüft", "يُتحقق منه عند الإرسال")
    let checkMail = Spoken("Check your email", "Revisa tu correo", "Prüfen Sie Ihre E-Mails", "تحقق من بريدك")
    let confirm = Spoken("Confirm", "Confirmar", "Bestätigen", "تأكيد")
    let verified = Spoken(
      "I've verified my email", "Ya he verificado mi correo", "Ich habe meine E-Mail bestätigt",
      "لقد أكدت بريدي الإلكتروني")
    let notVerified = Spoken(
      "The address is not verified yet.", "La dirección aún no está verificada.",
      "Die Adresse ist noch nicht bestätigt.", "لم يتم تأكيد العنوان بعد.")
    let resend = Spoken("Send it again", "Enviarlo de nuevo", "Erneut senden", "أرسله مرة أخرى")
    let tryAgain = Spoken("Try again", "Reintentar", "Erneut versuchen", "حاول مرة أخرى")
    let working = Spoken("working", "en curso", "in Arbeit", "قيد التنفيذ")
    let signOut = Spoken("Sign out", "Cerrar sesión", "Abmelden", "تسجيل الخروج")
    let cancel = Spoken("Cancel", "Cancelar", "Abbrechen", "إلغاء")
    let sendMail = Spoken("Send the mail", "Enviar el correo", "E-Mail senden", "إرسال البريد")
    let anotherAddress = Spoken(
      "Use another address", "Usar otra dirección", "Andere Adresse verwenden", "استخدام عنوان آخر")
    let choosePassword = Spoken(
      "Choose a new password", "Elige una contraseña nueva", "Wählen Sie ein neues Passwort", "اختر كلمة مرور جديدة")
    let savePassword = Spoken(
      "Save the new password", "Guardar la contraseña nueva", "Neues Passwort speichern", "حفظ كلمة المرور الجديدة")
    let passwordSaved = Spoken(
      "The new password is saved.", "La contraseña nueva se ha guardado.", "Das neue Passwort ist gespeichert.",
      "تم حفظ كلمة المرور الجديدة.")
    let back = Spoken("Back", "Volver", "Zurück", "رجوع")
    let account = Spoken("Your account", "Tu cuenta", "Ihr Konto", "حسابك")
    let profile = Spoken("Profile", "Perfil", "Profil", "الملف الشخصي")
    let oneMore = Spoken("One more thing", "Una cosa más", "Noch etwas", "شيء واحد بعد")
    let save = Spoken("Save", "Guardar", "Speichern", "حفظ")
    let continueWord = Spoken("Continue", "Continuar", "Weiter", "متابعة")
    let saved = Spoken("Saved.", "Guardado.", "Gespeichert.", "تم الحفظ.")
    let noFields = Spoken(
      "There is nothing to fill in.", "No hay nada que rellenar.", "Es gibt nichts auszufüllen.", "لا يوجد شيء لملئه.")
    let changePassword = Spoken("Change the password", "Cambiar la contraseña", "Passwort ändern", "تغيير كلمة المرور")
    let changeEmail = Spoken("Change the address", "Cambiar la dirección", "Adresse ändern", "تغيير العنوان")
    let newEmail = Spoken("New email", "Correo nuevo", "Neue E-Mail", "البريد الجديد")
    let emailChanged = Spoken(
      "The new address counts from now on.", "La dirección nueva ya es válida.", "Die neue Adresse gilt ab jetzt.",
      "العنوان الجديد ساري المفعول الآن.")
    let devices = Spoken("Devices", "Dispositivos", "Geräte", "الأجهزة")
    let thisDevice = Spoken("This device", "Este dispositivo", "Dieses Gerät", "هذا الجهاز")
    let aDevice = Spoken("A device", "Un dispositivo", "Ein Gerät", "جهاز")
    let onlyHere = Spoken(
      "You are signed in nowhere else.", "No tienes la sesión abierta en ningún otro lugar.",
      "Sie sind nirgendwo sonst angemeldet.", "لم تسجّل الدخول في أي مكان آخر.")
    let signOutOthers = Spoken(
      "Sign out everywhere else", "Cerrar las demás sesiones", "Überall sonst abmelden", "تسجيل الخروج من كل مكان آخر")
    let connections = Spoken("Connected accounts", "Cuentas conectadas", "Verbundene Konten", "الحسابات المرتبطة")
    let notConnected = Spoken("Not connected", "Sin conectar", "Nicht verbunden", "غير مرتبط")
    let connectAgain = Spoken(
      "Please connect it again", "Vuelve a conectarla", "Bitte erneut verbinden", "يُرجى ربطه من جديد")
    let deleteAccount = Spoken("Delete my account", "Eliminar mi cuenta", "Mein Konto löschen", "حذف حسابي")
    let cannotUndo = Spoken(
      "This cannot be undone.", "Esto no se puede deshacer.", "Das kann nicht rückgängig gemacht werden.",
      "لا يمكن التراجع عن هذا.")
    let mailCode = Spoken(
      "Mail me a code", "Envíame un código por correo", "Code per E-Mail senden", "أرسل لي رمزًا بالبريد")
    let proofCode = Spoken("Code from the email", "Código del correo", "Code aus der E-Mail", "الرمز من الرسالة")
    let unlock = Spoken("Unlock", "Desbloquear", "Entsperren", "فتح القفل")
    let locked = Spoken(
      "Unlock to continue", "Desbloquea para continuar", "Zum Fortfahren entsperren", "افتح القفل للمتابعة")
    let starting = Spoken("Starting", "Iniciando", "Wird gestartet", "جارٍ البدء")
    let choose = Spoken("Choose", "Elegir", "Auswählen", "اختر")
  }
#endif
