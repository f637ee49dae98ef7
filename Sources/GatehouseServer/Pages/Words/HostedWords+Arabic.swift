import GatehousePolicy
import GatehouseWire

extension HostedWords {
  static let arabic = HostedWords(
    frame: .arabic, errors: .arabic, signIn: .arabic, signUp: .arabic, checkMail: .arabic, reset: .arabic,
    complete: .arabic, connect: .arabic, endings: .arabic, account: .arabic, profile: .arabic, password: .arabic,
    email: .arabic, devices: .arabic, connections: .arabic, delete: .arabic, export: .arabic, links: .arabic,
    landings: .arabic, moments: .arabic, advice: .arabic, secondStep: .arabic, factors: .arabic, passkeys: .arabic,
    notices: [
      .sessionExpired: "تم تسجيل خروجك. سجّل الدخول مرة أخرى.", .emailVerified: "تم تأكيد بريدك الإلكتروني.",
      .passwordSaved: "حُفظت كلمة مرورك الجديدة. سجّل الدخول بها.", .saved: "تم الحفظ.",
      .signedOutDevice: "تم تسجيل خروج ذلك الجهاز.", .mailSent: "أُرسل رمز جديد.",
      .passwordChanged: "حُفظت كلمة مرورك الجديدة. تم تسجيل خروج جميع الأجهزة الأخرى.",
      .emailChanged: "تم تغيير بريدك الإلكتروني.", .signedOutOthers: "تم تسجيل خروج جميع الأجهزة الأخرى.",
      .disconnected: "تم فصل الحساب.", .factorAdded: "تمت إضافة تطبيق المصادقة.",
      .factorRemoved: "تمت إزالة تطبيق المصادقة.",
      .passkeyAdded: "تمت إضافة مفتاح المرور.", .passkeyRemoved: "تمت إزالة مفتاح المرور.",
    ],
    duration: duration(
      .arabic,
      second: CountedWords(one: "ثانية واحدة", two: "ثانيتين", few: "# ثوانٍ", other: "# ثانية"),
      minute: CountedWords(one: "دقيقة واحدة", two: "دقيقتين", few: "# دقائق", other: "# دقيقة"),
      hour: CountedWords(one: "ساعة واحدة", two: "ساعتين", few: "# ساعات", other: "# ساعة")))
}

extension FrameWords {
  static let arabic = FrameWords(
    language: .arabic, troubleMark: "خطأ", help: "هل تحتاج إلى مساعدة؟", forms: .arabic, terms: "شروط الخدمة",
    privacy: "سياسة الخصوصية")
}

extension FormWords {
  static let arabic = FormWords(
    problem: "توجد مشكلة", email: "البريد الإلكتروني", password: "كلمة المرور", newPassword: "كلمة المرور",
    again: "كرّر كلمة المرور", passwordNeeds: "متطلبات كلمة المرور:",
    differ: "كلمتا المرور مختلفتان.", weak: "لا تستوفي كلمة المرور هذه جميع القواعد.",
    show: "إظهار كلمة المرور", hide: "إخفاء كلمة المرور", met: "مستوفى", unmet: "ليس بعد",
    strengths: ["القوة: ضعيفة", "القوة: متوسطة", "القوة: جيدة", "القوة: قوية"], or: "أو", proceed: "متابعة",
    back: { "العودة إلى \($0.isolated)" }, capsLock: "مفتاح الأحرف الكبيرة مفعّل.",
    offline: "أنت غير متصل بالإنترنت. ما كتبته لا يزال هنا.", retry: "إعادة المحاولة",
    from: { "واعتبارًا من \($0) أيضًا:" })
}

extension ErrorWords {
  static let arabic = ErrorWords(
    old: { "انتهت صلاحية هذا النموذج. " + ($0 ? "اكتب كلمة مرورك وأرسله مرة أخرى." : "يُرجى إرساله مرة أخرى.") },
    over: { "استغرق هذا وقتًا طويلًا. لتسجيل الدخول إلى \($0.isolated)، ابدأ من جديد في التطبيق." },
    cookies: "يمنع متصفحك ملفات تعريف الارتباط. اسمح بها لهذا الموقع ثم حاول مرة أخرى.",
    password: "كلمة المرور هذه غير صحيحة.",
    wait: { "محاولات كثيرة جدًا. حاول مرة أخرى بعد \($0)." },
    pages: { code, reference in
      switch code {
      case .notFound, .methodNotAllowed: ("لا توجد صفحة كهذه", "تحقّق من العنوان أو عُد إلى التطبيق.")
      case .rateLimited, .tooManyAttempts, .cooldown: ("طلبات كثيرة جدًا", "انتظر قليلًا ثم حاول مرة أخرى.")
      case .tenantNotFound: ("لا يوجد تطبيق كهذا هنا", "تحقّق من العنوان.")
      case .tenantDisabled: ("هذا التطبيق غير متاح الآن", "يُرجى العودة لاحقًا.")
      case .headerFieldsTooLarge:
        ("أعد تحميل هذه الصفحة", "أرسل متصفحك ملفات تعريف ارتباط أكثر مما يقبله هذا الموقع. حذفنا ملفاتنا الآن.")
      case .mfaRequired:
        ("يلزم إجراء خطوة ثانية", "لا يمكن لهذه الصفحة طلب الخطوة الثانية لهذا الحساب. سجّل الدخول في التطبيق.")
      case .attestRequired: ("يُرجى استخدام التطبيق", "يعمل هذا في التطبيق فقط، وليس في المتصفح.")
      case .forbidden, .unsupportedMediaType:
        ("تعذّر إرسال هذا النموذج", "فُتح في متصفح آخر أو في موقع آخر. افتح الصفحة مرة أخرى.")
      case .malformedRequest:
        ("هذا الرابط لا يعمل", "عنوان هذه الصفحة ناقص أو خاطئ. عُد إلى التطبيق وابدأ من جديد.")
      default: ("حدث خطأ من جانبنا", "حاول مرة أخرى بعد قليل. المرجع: \(reference.isolated)")
      }
    },
    renewed: "تغيّر شيء في هذا المتصفح منذ أن فتحت هذه الصفحة. راجعها وأرسلها مرة أخرى.",
    waitOrReset: { "محاولات كثيرة جدًا. انتظر لمدة \($0) أو أعد تعيين كلمة مرورك." },
    reset: "إعادة تعيين كلمة المرور", noAddress: "أدخل بريدًا إلكترونيًا صالحًا.",
    away: "حدث خطأ من جانبنا. ما أدخلته لا يزال هنا. أرسله مرة أخرى بعد قليل.",
    unknown: "ضاعت الإجابة من جانبنا، وربما نجح ذلك. ما أدخلته لا يزال هنا. أرسله مرة أخرى.",
    resend: "يُرجى إرسال هذا مرة أخرى", resendButton: "إرسال مرة أخرى",
    unavailable: { "\($0.isolated) غير متاح الآن" })
}

extension LandingWords {
  static let arabic = LandingWords(
    linked: { app in ("تم الربط", "يمكنك إغلاق هذه الصفحة والعودة إلى \(app.isolated).") },
    refusals: { code in
      switch code {
      case .codeInvalid, .notFound:
        ("لم ينجح ذلك", "استغرق الأمر وقتًا طويلًا أو بدأ في متصفح آخر. عُد إلى التطبيق وحاول مرة أخرى.")
      case .providerDenied: ("لم يتم الربط", "لم تسمح بذلك. لم يتغيّر شيء.")
      case .providerScopesMissing:
        ("لم يتم الربط بعد", "يحتاج التطبيق إلى جميع الأذونات في القائمة. عُد إلى التطبيق وحاول مرة أخرى.")
      case .providerAccountTaken: (code.entry.title.ar, "عُد إلى التطبيق واختر حسابًا آخر.")
      default: ("لم ينجح ذلك", "عُد إلى التطبيق وحاول مرة أخرى بعد قليل.")
      }
    })
}

extension MomentWords {
  static let arabic = MomentWords(
    months: [
      "يناير", "فبراير", "مارس", "أبريل", "مايو", "يونيو", "يوليو", "أغسطس", "سبتمبر", "أكتوبر", "نوفمبر", "ديسمبر",
    ], date: { "\($0) \($1) \($2)" }, comma: "، ")
}

extension ScopeWords {
  static let arabic = [
    "openid": "تأكيد هويتك", "email": "الاطلاع على بريدك الإلكتروني", "profile": "الاطلاع على اسمك وصورتك",
    "user-read-email": "الاطلاع على بريدك الإلكتروني", "user-read-private": "الاطلاع على بلدك ونوع اشتراكك",
    "playlist-read-private": "الاطلاع على قوائم التشغيل الخاصة بك",
    "playlist-read-collaborative": "الاطلاع على قوائم التشغيل التي تشاركها مع آخرين",
    "playlist-modify-public": "تغيير قوائم التشغيل العامة", "playlist-modify-private": "تغيير قوائم التشغيل الخاصة",
    "user-library-read": "الاطلاع على الأغاني والألبومات المحفوظة",
    "user-library-modify": "تغيير الأغاني والألبومات المحفوظة",
    "user-top-read": "الاطلاع على فنانيك وأغانيك المفضلة",
    "user-read-recently-played": "الاطلاع على ما استمعت إليه مؤخرًا",
    "user-read-currently-playing": "الاطلاع على ما تستمع إليه الآن",
    "user-read-playback-state": "الاطلاع على أجهزتك وما يعمل عليها",
  ]
}
