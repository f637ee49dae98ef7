#if canImport(SwiftUI)
  import GatehousePolicy

  /// The words of the screens about passkeys, in each language.
  struct PasskeyTable: Sendable {
    static let all = PasskeyTable()

    let signInWithPasskey = Spoken(
      "Sign in with a passkey", "Iniciar sesión con una llave de acceso", "Mit einem Passkey anmelden",
      "تسجيل الدخول بمفتاح مرور")
    let signInWithFormer = Spoken(
      "Use a passkey from before", "Usar una llave de acceso anterior", "Einen früheren Passkey verwenden",
      "استخدام مفتاح مرور سابق")
    let signUpWithPasskey = Spoken(
      "Create it with a passkey", "Crearla con una llave de acceso", "Mit einem Passkey erstellen",
      "إنشاء الحساب بمفتاح مرور")
    let passkey = Spoken("Passkey", "Llave de acceso", "Passkey", "مفتاح مرور")
    let addPasskey = Spoken(
      "Add a passkey", "Añadir una llave de acceso", "Passkey hinzufügen", "إضافة مفتاح مرور")
    let synced = Spoken(
      "Synced between your devices", "Sincronizada entre tus dispositivos", "Auf Ihren Geräten synchronisiert",
      "مُزامَن بين أجهزتك")
    let useYourPasskey = Spoken(
      "Continue, and your device asks for your passkey.", "Continúa y tu dispositivo te pedirá tu llave de acceso.",
      "Fahren Sie fort, und Ihr Gerät fragt nach Ihrem Passkey.", "تابِع وسيطلب جهازك مفتاح المرور.")
    let usePasskey = Spoken(
      "Use a passkey", "Usar una llave de acceso", "Passkey verwenden", "استخدام مفتاح مرور")
    let usePassword = Spoken(
      "Use the password", "Usar la contraseña", "Passwort verwenden", "استخدام كلمة المرور")
    let useMailedCode = Spoken(
      "Use a code from an email", "Usar un código del correo", "Code aus einer E-Mail verwenden",
      "استخدام رمز من رسالة بريد")
    let removeLost = Spoken(
      "I have lost it: remove", "La he perdido: quitar", "Ich habe ihn verloren: entfernen", "لقد فقدته: إزالة")
    let noPasskeys = Spoken(
      "Add a passkey: you sign in by your face, your finger or the code of your device.",
      "Añade una llave de acceso: inicias sesión con tu cara, tu huella o el código de tu dispositivo.",
      "Fügen Sie einen Passkey hinzu: Sie melden sich mit Gesicht, Finger oder dem Code Ihres Geräts an.",
      "أضف مفتاح مرور: تسجّل الدخول بوجهك أو إصبعك أو رمز جهازك.")
    let lastFactorGoes = Spoken(
      "With the last one your recovery codes go as well.",
      "Con el último también se eliminan tus códigos de recuperación.",
      "Mit dem letzten verfallen auch Ihre Wiederherstellungscodes.",
      "مع الأخير تُلغى رموز الاسترداد أيضًا.")
    let waysIn = Spoken(
      "Passkeys and second steps", "Llaves de acceso y segundos pasos", "Passkeys und zweite Schritte",
      "مفاتيح المرور والخطوات الثانية")
  }

  extension Words {
    /// `words.addPasskey`: a row of the table.
    subscript(dynamicMember row: KeyPath<PasskeyTable, Spoken>) -> String {
      PasskeyTable.all[keyPath: row][language]
    }
  }
#endif
