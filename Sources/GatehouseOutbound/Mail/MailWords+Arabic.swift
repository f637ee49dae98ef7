import GatehouseIdentity
import GatehousePolicy

/// The values that a sentence names. A program that shows plain text knows no other way to keep their order.
private let app = "{{app_name}}".isolated
private let email = "{{email}}".isolated
private let newEmail = "{{new_email}}".isolated
private let provider = "{{provider}}".isolated
private let support = "{{support_email}}".isolated
private let when = "{{#when}}الوقت: \("{{when}}".isolated){{/when}}"
private let device = "{{#device}}الجهاز: \("{{device}}".isolated){{/device}}"
private let nothingToDo = "إذا كنت أنت من فعل ذلك، فلا شيء عليك فعله."
private let writeToSupport = "{{#support_email}} واكتب إلى \(support){{/support_email}}"

extension MailWords {
  static let arabic = MailWords(
    language: .arabic,
    greeting: "مرحبًا{{#name}} \("{{name}}".isolated){{/name}}،",
    linkHint: "إذا لم يعمل الزر، فانسخ هذا الرابط إلى متصفحك:",
    linkExpires: "الرابط صالح لمدة {{link_expires}} ويُستخدم مرة واحدة.",
    codeSubject: "{{code}} هو رمزك في \(app)",
    codeAlone: "رمزك:",
    codeToo: "أو اكتب هذا الرمز حيث طلبته:",
    codeExpires: "الرمز صالح لمدة {{code_expires}} ويُستخدم مرة واحدة.",
    codeWarning: "لا تشاركه مع أحد. لن يطلبه منك \(app) أبدًا.",
    footer: [
      "أرسل \(app) هذه الرسالة إلى \(email).",
      "{{#support_email}}لديك أسئلة؟ اكتب إلى \(support).{{/support_email}}",
    ],
    terms: "شروط الخدمة", privacy: "سياسة الخصوصية",
    minute: CountedWords(one: "دقيقة واحدة", two: "دقيقتين", few: "# دقائق", other: "# دقيقة"),
    hour: CountedWords(one: "ساعة واحدة", two: "ساعتين", few: "# ساعات", other: "# ساعة"),
    day: CountedWords(one: "يوم واحد", two: "يومين", few: "# أيام", many: "# يومًا", other: "# يوم"),
    letter: { kind in
      switch kind {
      case .verifyEmail:
        MailLetter(
          subject: "أكّد بريدك الإلكتروني في \(app)", heading: "أكّد بريدك الإلكتروني",
          lead: ["يُرجى تأكيد أن \(email) هو عنوانك لتتمكن من استخدام \(app)."],
          button: "تأكيد العنوان",
          closing: ["إذا لم تطلب ذلك، فتجاهل هذه الرسالة: لن يحدث شيء من دون تأكيدك."])
      case .resetPassword:
        MailLetter(
          subject: "أعد تعيين كلمة مرورك في \(app)", heading: "إعادة تعيين كلمة المرور",
          lead: ["طلب شخص ما، نأمل أن تكون أنت، إعادة تعيين كلمة مرور حسابك في \(app)."],
          button: "اختيار كلمة مرور جديدة",
          closing: ["إذا لم تطلب ذلك، فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي."])
      case .setPassword:
        MailLetter(
          subject: "حسابك في \(app) جاهز", heading: "اختر كلمة مرورك",
          lead: ["أُنشئ لك حساب في \(app). اختر كلمة مرور للبدء."],
          button: "اختيار كلمة مرور",
          closing: ["إذا لم تتوقع ذلك، فتجاهل هذه الرسالة: لا يمكن لأحد استخدام الحساب من دون كلمة مرور."])
      case .changeEmailConfirm:
        MailLetter(
          subject: "أكّد بريدك الإلكتروني الجديد في \(app)", heading: "أكّد عنوانك الجديد",
          lead: [
            "طلبت استخدام {{#new_email}}\(newEmail){{/new_email}}{{^new_email}}\(email){{/new_email}} لحسابك في "
              + "\(app). يُرجى تأكيد أنه عنوانك."
          ],
          button: "تأكيد العنوان الجديد",
          closing: ["إذا لم تطلب ذلك، فتجاهل هذه الرسالة: لن يتغيّر شيء من دون تأكيدك."])
      case .reauthenticate:
        MailLetter(
          subject: "رمزك في \(app)", heading: "أكّد أنك صاحب الحساب",
          lead: ["شخص ما، نأمل أن تكون أنت، مسجّل الدخول إلى حسابك في \(app) ويريد تأكيد أنه صاحب الحساب."],
          button: "فتح \(app)",
          closing: [
            "إذا لم تطلب ذلك، فلا تعطِ الرمز لأحد، وسجّل خروج جميع الأجهزة في \(app)، ثم سجّل الدخول مرة أخرى."
          ])
      case .changeEmailNotice:
        MailLetter(
          subject: "البريد الإلكتروني لحسابك في \(app) سيتغيّر", heading: "عنوانك سيتغيّر",
          lead: [
            "طلب شخص ما، نأمل أن تكون أنت، تغيير البريد الإلكتروني لحسابك في \(app)"
              + "{{#new_email}} إلى \(newEmail){{/new_email}}.", when, nothingToDo,
          ],
          button: "{{#link_expires}}التراجع عن التغيير{{/link_expires}}"
            + "{{^link_expires}}إعادة تعيين كلمة المرور{{/link_expires}}",
          closing: [
            "إذا لم تطلب ذلك، {{#link_expires}}فتراجع عنه بالرابط أعلاه و{{/link_expires}}غيّر كلمة مرورك فورًا."
          ])
      case .changeEmailUndone:
        MailLetter(
          subject: "عاد عنوان حسابك في \(app) إلى ما كان عليه", heading: "عاد العنوان إلى ما كان عليه",
          lead: [
            "عاد حساب في \(app) كان يستخدم \(email) إلى عنوانه السابق. تراجع صاحب ذلك العنوان عن التغيير، وأُنهيت جميع "
              + "الجلسات.", when,
          ],
          button: "فتح \(app)",
          closing: [
            "إذا كان الحساب لك، فسجّل الدخول بالعنوان السابق أو أعد تعيين كلمة مروره من هناك.",
            "إذا كنت لا تعرف شيئًا عن هذا، فتجاهل هذه الرسالة.",
          ])
      case .passwordChanged:
        MailLetter(
          subject: "تغيّرت كلمة مرورك في \(app)", heading: "تغيّرت كلمة مرورك",
          lead: ["تغيّرت كلمة مرور حسابك في \(app).", when, device, nothingToDo],
          button: "إعادة تعيين كلمة المرور",
          closing: ["إذا لم تكن أنت، فأعد تعيين كلمة مرورك فورًا\(writeToSupport)."])
      case .signUpAttempt:
        MailLetter(
          subject: "لديك حساب في \(app) من قبل", heading: "لديك حساب من قبل",
          lead: [
            "حاول شخص ما، نأمل أن تكون أنت، إنشاء حساب في \(app) بالعنوان \(email). لهذا العنوان حساب من قبل، لذلك لم "
              + "يُنشأ حساب جديد.",
            "لتسجيل الدخول استخدم كلمة مرورك، أو أعد تعيينها إذا لم تعد تتذكرها.",
          ],
          button: "المتابعة إلى \(app)",
          closing: ["إذا لم تطلب ذلك، فتجاهل هذه الرسالة: لم يتغيّر شيء ولم يسجّل أحد الدخول."])
      case .newDevice:
        MailLetter(
          subject: "تسجيل دخول جديد إلى حسابك في \(app)", heading: "تسجيل دخول جديد",
          lead: [
            "استُخدم حسابك في \(app) على جهاز لم نره من قبل.", device,
            "{{#place}}المكان: قرب \("{{place}}".isolated){{/place}}", when, nothingToDo,
          ],
          button: "مراجعة أجهزتك",
          closing: ["إذا لم تكن أنت، فغيّر كلمة مرورك فورًا وأنهِ الجلسات التي لا تعرفها."])
      case .providerLinked:
        MailLetter(
          subject: "تم ربط \(provider) بحسابك في \(app)", heading: "تم ربط \(provider)",
          lead: ["تم ربط حساب في \(provider) بحسابك في \(app).", when, nothingToDo],
          button: "مراجعة حساباتك المرتبطة",
          closing: ["إذا لم تكن أنت، فافصله في \(app) وغيّر كلمة مرورك فورًا."])
      case .providerUnlinked:
        MailLetter(
          subject: "تم فصل \(provider) عن حسابك في \(app)", heading: "تم فصل \(provider)",
          lead: ["لم يعد حسابك في \(provider) مرتبطًا بحسابك في \(app).", when, nothingToDo],
          button: "مراجعة حساباتك المرتبطة",
          closing: ["إذا لم تكن أنت، فغيّر كلمة مرورك فورًا."])
      case .providerLinkBroken:
        MailLetter(
          subject: "اربط \(provider) بتطبيق \(app) من جديد", heading: "اربط \(provider) من جديد",
          lead: [
            "لم يعد \(provider) يمنح \(app) كل ما يحتاج إليه من أذونات لخدمتك.", when,
            "افتح \(app) واربط \(provider) من جديد.",
          ],
          button: "الربط من جديد",
          closing: ["إذا كنت أنت من سحب الأذونات، فلا شيء عليك فعله."])
      case .accountReclaimed:
        MailLetter(
          subject: "تسجيل دخولك إلى \(app) عبر \(provider)", heading: "تم تسجيل الدخول عبر \(provider)",
          lead: [
            "تم تسجيل الدخول إلى حسابك في \(app) عبر \(provider). لم يكن عنوانه \(email) مؤكّدًا من قبل؛ وقد أكّده "
              + "\(provider).",
            "لم تعد كلمة المرور القديمة تفتح الحساب. أُزيلت الأجهزة والحسابات المرتبطة السابقة.", when, nothingToDo,
          ],
          button: "مراجعة حساباتك المرتبطة",
          closing: ["إذا لم تكن أنت، فأمّن حسابك في \(provider) فورًا\(writeToSupport)."])
      case .accountDeleted:
        MailLetter(
          subject: "تم حذف حسابك في \(app)", heading: "تم حذف حسابك",
          lead: [
            "تم حذف حساب \(email) في \(app) مع كل ما يخصه. لا يمكن استعادته.", when, nothingToDo,
          ],
          button: "فتح \(app)",
          closing: ["إذا كنت لا تعرف شيئًا عن هذا، فغيّر كلمة مرور بريدك الإلكتروني\(writeToSupport)."])
      case .factorAdded:
        MailLetter(
          subject: "أُضيفت خطوة ثانية إلى حسابك في \(app)", heading: "أُضيفت خطوة ثانية",
          lead: [
            "أُضيف تطبيق مصادقة أو مفتاح مرور إلى حسابك في \(app). قد يُطلب عند تسجيل الدخول من الآن فصاعدًا.", when,
            nothingToDo,
          ],
          button: "مراجعة حسابك",
          closing: ["إذا لم تكن أنت، فغيّر كلمة مرورك فورًا وأزِل الخطوة الجديدة في \(app)\(writeToSupport)."])
      case .factorRemoved:
        MailLetter(
          subject: "أُزيلت خطوة ثانية من حسابك في \(app)", heading: "أُزيلت خطوة ثانية",
          lead: [
            "أُزيل تطبيق مصادقة أو مفتاح مرور من حسابك في \(app). لن يُطلب عند تسجيل الدخول بعد الآن.", when, nothingToDo,
          ],
          button: "مراجعة حسابك",
          closing: ["إذا لم تكن أنت، فغيّر كلمة مرورك فورًا\(writeToSupport)."])
      case .factorLost:
        MailLetter(
          subject: "أُزيل جهاز مفقود من حسابك في \(app)", heading: "أُزيل جهاز مفقود",
          lead: [
            "أُزيل من حسابك في \(app) مفتاح المرور أو تطبيق المصادقة الخاص بجهاز مفقود. لم يعد يفتح شيئًا.", when,
            nothingToDo,
          ],
          button: "مراجعة حسابك",
          closing: ["إذا لم تكن أنت، فغيّر كلمة مرورك فورًا\(writeToSupport)."])
      case .passkeyUnsynced:
        MailLetter(
          subject: "لم يعد أحد مفاتيح المرور في حسابك في \(app) متزامنًا", heading: "مفتاح مرور لم يعد متزامنًا",
          lead: [
            "أصبح أحد مفاتيح المرور في حسابك في \(app) على جهاز واحد فقط. إذا ضاع هذا الجهاز ضاع المفتاح معه.", when,
            "أضف مفتاح مرور آخر، أو احتفظ برموز الاسترداد في مكان آمن.",
          ],
          button: "مراجعة حسابك",
          closing: ["إذا كنت لا تعرف هذا المفتاح، فأزِله في \(app)\(writeToSupport)."])
      case .recoveryCodesMade:
        MailLetter(
          subject: "رموز استرداد جديدة لحسابك في \(app)", heading: "رموز استرداد جديدة",
          lead: ["أُنشئت رموز استرداد لحسابك في \(app). لم تعد الرموز السابقة صالحة.", when, nothingToDo],
          button: "مراجعة حسابك",
          closing: ["إذا لم تكن أنت، فغيّر كلمة مرورك فورًا وأنشئ رموزًا جديدة في \(app)\(writeToSupport)."])
      case .recoveryCodeUsed:
        MailLetter(
          subject: "استُخدم رمز استرداد لحسابك في \(app)", heading: "استُخدم رمز استرداد",
          lead: [
            "استُخدم رمز استرداد بدلًا من الخطوة الثانية لحسابك في \(app). كل رمز يُستخدم مرة واحدة.", when, device,
            nothingToDo,
          ],
          button: "مراجعة حسابك",
          closing: ["إذا لم تكن أنت، فغيّر كلمة مرورك فورًا وأنشئ رموزًا جديدة في \(app)\(writeToSupport)."])
      case .mfaReset:
        MailLetter(
          subject: "أُعيد تعيين الخطوة الثانية لحسابك في \(app)", heading: "أُعيد تعيين الخطوة الثانية",
          lead: [
            "أزال أحد مشغّلي \(app) جميع الخطوات الثانية ورموز الاسترداد من حسابك وأنهى جميع جلساته.", when,
            "إذا طلبت ذلك، فسجّل الدخول وأضف خطوة ثانية من جديد.",
          ],
          button: "تسجيل الدخول",
          closing: ["إذا لم تطلب ذلك، فغيّر كلمة مرورك فورًا\(writeToSupport)."])
      case .test:
        MailLetter(
          subject: "رسالة تجريبية من \(app)", heading: "البريد يعمل",
          lead: ["هذه رسالة تجريبية. إذا كان بإمكانك قراءتها، فإن \(app) يستطيع إرسال البريد."],
          button: "فتح \(app)", closing: ["إذا لم تطلب ذلك، فتجاهل هذه الرسالة."])
      }
    })
}
