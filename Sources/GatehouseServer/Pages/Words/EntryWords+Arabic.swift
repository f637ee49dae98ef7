import GatehousePolicy

extension SignInWords {
  static let arabic = SignInWords(
    heading: { "تسجيل الدخول إلى \($0.isolated)" }, welcome: { "المتابعة إلى \($0.isolated)" }, button: "تسجيل الدخول",
    forgot: "هل نسيت كلمة المرور؟", noAccount: "ليس لديك حساب؟", create: "إنشاء حساب",
    provider: { "المتابعة باستخدام \($0.isolated)" }, signedIn: { "سجّلت الدخول باسم \($0.isolated)." },
    other: "استخدام حساب آخر", reauthenticate: "أكّد أنك صاحب الحساب", confirm: "تأكيد",
    codeLead: { "سنرسل رمزًا من ستة أرقام إلى \($0.isolated)." }, shared: "هذا جهاز مشترك",
    sharedHint: "يتم تسجيل خروجك عند إغلاق المتصفح، وبعد ساعة واحدة على الأكثر.", forgotShort: "نسيت كلمة المرور؟")
}

extension SignUpWords {
  static let arabic = SignUpWords(
    heading: { "إنشاء حسابك في \($0.isolated)" }, button: "إنشاء الحساب", haveAccount: "لديك حساب؟",
    signIn: { "تسجيل الدخول باسم \($0.isolated)" }, accepts: "بإنشاء حساب فإنك توافق على:")
}

extension CheckMailWords {
  static let arabic = CheckMailWords(
    heading: "تحقّق من بريدك الإلكتروني",
    sent: {
      "أرسلنا رمزًا من ستة أرقام إلى <bdi>\($0)</bdi> في الساعة <bdi>\($1)</bdi>. وهو صالح لمدة \($2)."
    },
    perhaps: {
      "إذا كان لعنوان <bdi>\($0)</bdi> حساب، فقد أرسلنا إليه رمزًا من ستة أرقام في الساعة <bdi>\($1)</bdi>. وهو صالح لمدة \($2)."
    },
    code: "الرمز من ستة أرقام", confirm: "تأكيد", verified: "فتحت الرابط الذي في الرسالة", again: "إرسال رمز جديد",
    otherAddress: "استخدام بريد إلكتروني آخر", signOut: "تسجيل الخروج",
    wait: { "يمكنك طلب رمز جديد بعد \($0)." }, reload: "بعد ذلك أعد تحميل هذه الصفحة.",
    spam: "لم تصلك الرسالة؟ ابحث في مجلد الرسائل غير المرغوب فيها.",
    wrong: "هذا ليس الرمز الذي أرسلناه. راجع أحدث رسالة.", expired: "انتهت صلاحية هذا الرمز. اطلب رمزًا جديدًا.",
    usedUp: "محاولات خاطئة كثيرة. لم يعد هذا الرمز صالحًا. اطلب رمزًا جديدًا.",
    unsent: { "لم نرسل بعد أي رمز إلى \($0.isolated)." },
    paused: { "أُرسلت رسالة في الساعة \($0.isolated). يمكنك طلب رسالة أخرى بعد \($1)." },
    early: { "لم يتم التأكيد بعد. افتح الرسالة المرسلة إلى \($0.isolated)." },
    sentLink: { "أرسلنا رابطًا إلى <bdi>\($0)</bdi> في الساعة <bdi>\($1)</bdi>. افتحه للمتابعة." },
    perhapsLink: {
      "إذا كان لعنوان <bdi>\($0)</bdi> حساب، فقد أرسلنا إليه رابطًا في الساعة <bdi>\($1)</bdi>. افتحه للمتابعة."
    })
}

extension ResetWords {
  static let arabic = ResetWords(
    forgot: "هل نسيت كلمة المرور؟", send: "إرسال الرمز",
    lead: "سنرسل إليك رمزًا بالبريد الإلكتروني لتختار به كلمة مرور جديدة.", heading: "اختر كلمة مرور جديدة",
    save: "حفظ كلمة المرور الجديدة", codeHeading: "أدخل الرمز", proceed: "متابعة")
}

extension CompleteWords {
  static let arabic = CompleteWords(
    heading: "خطوة أخيرة", username: "اختر اسم مستخدم",
    lead: { "يحتاج \($0.isolated) إلى هذا قبل أن تتابع." }, button: "متابعة",
    waits: { "على أحد المديرين إكمال ما يلي: \($0.isolated). يُرجى العودة لاحقًا." })
}

extension ConnectWords {
  static let arabic = ConnectWords(
    heading: { "اربط حسابك في \($0.isolated)" }, lead: { "يحتاج \($0.isolated) إلى هذا الربط قبل أن تتابع." },
    optional: { "يمكن لتطبيق \($0.isolated) استخدام هذا الحساب، لكنه لا يشترطه." },
    button: { "ربط \($0.isolated)" }, later: "ليس الآن",
    unavailable: "لا يمكنك ربط هذا في المتصفح. افتح التطبيق واربطه هناك.", allow: "سيُطلب منك السماح بما يلي:",
    scopes: ScopeWords.arabic, technical: { "أذونات من دون وصف: \($0)" })
}

extension EndingWords {
  static let arabic = EndingWords(
    signedIn: "تم تسجيل دخولك", signedInText: { "عُد الآن إلى \($0.isolated)." }, open: { "فتح \($0.isolated)" },
    signOutQuestion: { "هل تريد تسجيل الخروج من \($0.isolated)؟" }, signOut: "تسجيل الخروج",
    stay: "البقاء مسجّل الدخول", signedOut: "تم تسجيل خروجك", signedOutText: "يمكنك إغلاق هذه الصفحة.",
    signInAgain: "تسجيل الدخول مرة أخرى")
}
