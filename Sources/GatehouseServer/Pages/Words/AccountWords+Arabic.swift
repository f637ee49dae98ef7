import GatehousePolicy

extension AccountWords {
  static let arabic = AccountWords(
    heading: "حسابك", verified: { "\($0.isolated) (مؤكّد)" }, unverified: "غير مؤكّد بعد",
    verify: "تأكيد بريدك الإلكتروني", profile: "تعديل ملفك الشخصي", password: "تغيير كلمة المرور",
    setPassword: "تعيين كلمة مرور", email: "تغيير بريدك الإلكتروني", devices: "أماكن تسجيل دخولك",
    connections: "الحسابات المرتبطة", export: "تنزيل بياناتك", delete: "حذف حسابك", back: "العودة إلى حسابك",
    proofFirst: "قبل المتابعة، أكّد أنك صاحب الحساب.")
}

extension ProfileWords {
  static let arabic = ProfileWords(
    heading: "ملفك الشخصي", save: "حفظ", fixed: "لا يمكن تغيير ما يلي هنا:", nothing: "لا يوجد ما يمكن تغييره هنا.",
    between: { "من \($0) إلى \($1)" }, none: "غير محدد", yes: "نعم", no: "لا")
}

extension PasswordWords {
  static let arabic = PasswordWords(
    heading: "تغيير كلمة المرور", lead: "عند الحفظ يتم تسجيل خروج جميع أجهزتك الأخرى.",
    current: "كلمة المرور الحالية", new: "كلمة المرور الجديدة", save: "حفظ كلمة المرور الجديدة",
    headingFirst: "تعيين كلمة مرور",
    leadFirst: "ليس لحسابك كلمة مرور. سنرسل إليك رمزًا بالبريد الإلكتروني لتختار به كلمة مرور.", mail: "إرسال الرمز")
}

extension AdviceWords {
  static let arabic = AdviceWords(
    heading: "اختر كلمة مرور أقوى",
    from: { "اعتبارًا من \($0)، متطلبات كلمات المرور في \($1.isolated):" },
    now: { "متطلبات كلمات المرور في \($0.isolated) الآن:" }, change: "تغيير كلمة المرور")
}

extension EmailWords {
  static let arabic = EmailWords(
    heading: "تغيير بريدك الإلكتروني",
    lead: { "بريدك الإلكتروني هو \($0.isolated). سنرسل رمزًا إلى بريدك الجديد." }, new: "البريد الإلكتروني الجديد",
    send: "إرسال الرمز")
}

extension DevicesWords {
  static let arabic = DevicesWords(
    heading: "أماكن تسجيل دخولك", lead: "سجّل خروج أي جهاز لا تعرفه، ثم غيّر كلمة مرورك.",
    alone: "سجّلت الدخول على هذا الجهاز فقط.", unknown: "جهاز", current: "هذا المتصفح", lastUsed: "آخر استخدام:",
    signOut: "تسجيل الخروج", others: "تسجيل الخروج من كل الأجهزة الأخرى",
    named: { name in
      name.split(separator: " on ", maxSplits: 1).map { part in
        switch part {
        case "App": "تطبيق"
        case "Apple device": "جهاز \("Apple".isolated)"
        default: String(part).isolated
        }
      }.joined(separator: " على ")
    })
}

extension ConnectionsWords {
  static let arabic = ConnectionsWords(
    heading: "الحسابات المرتبطة", nothing: "لا توجد حسابات مرتبطة.", since: { "مرتبط منذ \($0)." },
    notConnected: "غير مرتبط.", broken: { "لم يعد بإمكان \($0.isolated) الوصول إلى هذا الحساب. اربطه من جديد." },
    again: { "ربط \($0.isolated) من جديد" }, disconnect: { "فصل \($0.isolated)" },
    needed: { "يحتاج \($0.isolated) إلى هذا الربط. من دونه لا يمكنك استخدام كل ما في \($0.isolated)." })
}

extension DeleteWords {
  static let arabic = DeleteWords(
    heading: "حذف حسابك",
    warning: {
      "سيؤدي هذا إلى حذف الحساب \($0.isolated) وكل ما فيه. لا يمكن التراجع عن ذلك. اكتب كلمة مرورك للمتابعة."
    },
    plainWarning: { "سيؤدي هذا إلى حذف الحساب \($0.isolated) وكل ما فيه. لا يمكن التراجع عن ذلك." },
    button: "حذف حسابي", keep: "الاحتفاظ بحسابي", deleted: "تم حذف حسابك")
}

extension ExportWords {
  static let arabic = ExportWords(
    heading: "تنزيل بياناتك", lead: { "ملف (\("JSON".isolated)) يحتوي على كل ما يخزّنه \($0.isolated) عنك." },
    button: "تنزيل")
}
