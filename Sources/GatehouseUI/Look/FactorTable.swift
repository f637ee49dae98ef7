#if canImport(SwiftUI)
  import GatehousePolicy

  /// The words of the screens about second factors, in each language.
  struct FactorTable: Sendable {
    static let all = FactorTable()

    let enterCode = Spoken("Enter your code", "Introduce tu código", "Geben Sie Ihren Code ein", "أدخل الرمز")
    let sixDigits = Spoken(
      "Type the six digits that your authenticator app shows.",
      "Escribe los seis dígitos que muestra tu app de autenticación.",
      "Geben Sie die sechs Ziffern ein, die Ihre Authentifizierungs-App zeigt.",
      "اكتب الأرقام الستة التي يعرضها تطبيق المصادقة.")
    let recoveryCode = Spoken(
      "Recovery code", "Código de recuperación", "Wiederherstellungscode", "رمز الاسترداد")
    let oneRecoveryCode = Spoken(
      "Type one of your recovery codes. Each is good once.",
      "Escribe uno de tus códigos de recuperación. Cada uno sirve una vez.",
      "Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt einmal.",
      "اكتب أحد رموز الاسترداد. كل رمز صالح لمرة واحدة.")
    let useRecoveryCode = Spoken(
      "Use a recovery code", "Usar un código de recuperación", "Wiederherstellungscode verwenden",
      "استخدام رمز استرداد")
    let useApp = Spoken(
      "Use the authenticator app", "Usar la app de autenticación", "Authentifizierungs-App verwenden",
      "استخدام تطبيق المصادقة")
    let factors = Spoken(
      "Two-step verification", "Verificación en dos pasos", "Bestätigung in zwei Schritten", "التحقق بخطوتين")
    let noFactors = Spoken(
      "Add an authenticator app, so that your password alone does not open your account.",
      "Añade una app de autenticación para que tu contraseña sola no abra tu cuenta.",
      "Fügen Sie eine Authentifizierungs-App hinzu, damit Ihr Passwort allein Ihr Konto nicht öffnet.",
      "أضف تطبيق مصادقة حتى لا تكفي كلمة المرور وحدها لفتح حسابك.")
    let authenticator = Spoken(
      "Authenticator app", "App de autenticación", "Authentifizierungs-App", "تطبيق مصادقة")
    let otherFactor = Spoken("Another way", "Otro método", "Anderer Weg", "طريقة أخرى")
    let addApp = Spoken(
      "Add an authenticator app", "Añadir una app de autenticación", "Authentifizierungs-App hinzufügen",
      "إضافة تطبيق مصادقة")
    let openInApp = Spoken(
      "Open in my authenticator app", "Abrir en mi app de autenticación", "In meiner Authentifizierungs-App öffnen",
      "فتح في تطبيق المصادقة")
    let scan = Spoken(
      "Or scan this picture with the app on another device, or type the key.",
      "O escanea esta imagen con la app en otro dispositivo, o escribe la clave.",
      "Oder scannen Sie dieses Bild mit der App auf einem anderen Gerät, oder geben Sie den Schlüssel ein.",
      "أو امسح هذه الصورة بالتطبيق على جهاز آخر، أو اكتب المفتاح.")
    let qrCode = Spoken("QR code", "Código QR", "QR-Code", "رمز QR")
    let key = Spoken("Key", "Clave", "Schlüssel", "المفتاح")
    let nameOfApp = Spoken("Name (optional)", "Nombre (opcional)", "Name (freiwillig)", "الاسم (اختياري)")
    let remove = Spoken("Remove", "Quitar", "Entfernen", "إزالة")
    let keepCodes = Spoken(
      "Keep these recovery codes", "Guarda estos códigos de recuperación",
      "Bewahren Sie diese Wiederherstellungscodes auf", "احتفظ برموز الاسترداد هذه")
    let whyKeep = Spoken(
      "Each opens your account once when your authenticator app is lost. They are shown only now.",
      "Cada uno abre tu cuenta una vez si pierdes tu app de autenticación. Solo se muestran ahora.",
      "Jeder öffnet Ihr Konto einmal, wenn Ihre Authentifizierungs-App verloren ist. Sie werden nur jetzt gezeigt.",
      "يفتح كل منها حسابك مرة واحدة إذا فقدت تطبيق المصادقة. لا تُعرض إلا الآن.")
    let saveCodes = Spoken("Save or print", "Guardar o imprimir", "Sichern oder drucken", "حفظ أو طباعة")
    let haveKept = Spoken("I have kept them", "Los he guardado", "Ich habe sie aufbewahrt", "لقد احتفظت بها")
    let newCodes = Spoken(
      "Make new recovery codes", "Crear códigos de recuperación nuevos", "Neue Wiederherstellungscodes erstellen",
      "إنشاء رموز استرداد جديدة")
    let fewCodes = Spoken(
      "Few recovery codes are left. Make new ones.", "Quedan pocos códigos de recuperación. Crea otros nuevos.",
      "Es sind nur noch wenige Wiederherstellungscodes übrig. Erstellen Sie neue.",
      "لم يتبقَّ سوى القليل من رموز الاسترداد. أنشئ رموزًا جديدة.")
    let confirmYou = Spoken(
      "Confirm that it is you", "Confirma que eres tú", "Bestätigen Sie, dass Sie es sind", "أكّد هويتك")
  }

  extension Words {
    /// `words.addApp`: a row of the table.
    subscript(dynamicMember row: KeyPath<FactorTable, Spoken>) -> String { FactorTable.all[keyPath: row][language] }

    func removeFactor(_ name: String) -> String {
      Spoken("Remove \(name)", "Quitar \(name)", "\(name) entfernen", "إزالة \(name)")[language]
    }

    func neededFrom(_ day: String) -> String {
      Spoken(
        "You need one from \(day).", "Necesitas una a partir del \(day).", "Ab \(day) brauchen Sie eine.",
        "ستحتاج إلى واحد بدءًا من \(day).")[language]
    }

    /// In whole days, or in hours below one.
    func rememberDevice(_ time: Duration) -> String {
      let hours = max(1, Int(time.components.seconds) / 3600)
      let span = hours < 24 ? self.hours(hours) : days(hours / 24)
      return Spoken(
        "Don't ask on this device for \(span)", "No preguntar en este dispositivo durante \(span)",
        "Auf diesem Gerät \(span) lang nicht fragen", "عدم السؤال على هذا الجهاز لمدة \(span)")[language]
    }

    func codesLeft(_ count: Int) -> String {
      counted(
        count, CountedWords(one: "1 recovery code left", other: "# recovery codes left"),
        CountedWords(one: "Queda 1 código de recuperación", other: "Quedan # códigos de recuperación"),
        CountedWords(one: "Noch 1 Wiederherstellungscode", other: "Noch # Wiederherstellungscodes"),
        CountedWords(
          one: "تبقّى رمز استرداد واحد", two: "تبقّى رمزا استرداد", few: "تبقّت # رموز استرداد",
          other: "تبقّى # رمز استرداد"))
    }

    private func hours(_ count: Int) -> String {
      counted(
        count, CountedWords(one: "1 hour", other: "# hours"), CountedWords(one: "1 hora", other: "# horas"),
        CountedWords(one: "1 Stunde", other: "# Stunden"),
        CountedWords(one: "ساعة واحدة", two: "ساعتين", few: "# ساعات", other: "# ساعة"))
    }

    private func days(_ count: Int) -> String {
      counted(
        count, CountedWords(one: "1 day", other: "# days"), CountedWords(one: "1 día", other: "# días"),
        CountedWords(one: "1 Tag", other: "# Tage"),
        CountedWords(one: "يوم واحد", two: "يومين", few: "# أيام", other: "# يومًا"))
    }
  }
#endif
