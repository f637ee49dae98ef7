/// Small built-in sets for lints. Not complete, and never used to decide anything.
enum PublicDomains {
  static let suffixes: Set<String> = [
    "com", "net", "org", "edu", "gov", "mil", "int", "info", "biz", "io", "co", "me", "app", "dev", "ai", "de", "uk",
    "fr", "es", "it", "nl", "be", "ch", "at", "eu", "us", "ca", "mx", "br", "ar", "au", "nz", "jp", "cn", "kr", "in",
    "ru", "pl", "se", "no", "fi", "dk", "ie", "pt", "cz", "gr", "tr", "za", "co.uk", "ac.uk", "org.uk", "gov.uk",
    "com.au", "edu.au", "co.nz", "ac.nz", "co.jp", "ac.jp", "com.br", "edu.br", "com.mx", "edu.mx", "co.in", "ac.in",
    "com.cn", "edu.cn", "co.kr", "ac.kr", "co.za", "ac.za", "com.tr", "edu.tr", "github.io", "gitlab.io",
    "herokuapp.com", "pages.dev", "workers.dev", "vercel.app", "netlify.app", "web.app", "firebaseapp.com",
    "blogspot.com", "azurewebsites.net", "cloudfront.net", "s3.amazonaws.com",
  ]

  static let freeMail: Set<String> = [
    "gmail.com", "googlemail.com", "outlook.com", "hotmail.com", "live.com", "msn.com", "yahoo.com", "ymail.com",
    "rocketmail.com", "icloud.com", "me.com", "mac.com", "aol.com", "proton.me", "protonmail.com", "pm.me", "gmx.com",
    "gmx.de", "gmx.net", "web.de", "t-online.de", "mail.com", "mail.ru", "yandex.com", "yandex.ru", "zoho.com",
    "fastmail.com", "hey.com", "tutanota.com", "tuta.com", "qq.com", "163.com", "126.com", "naver.com", "hotmail.co.uk",
    "yahoo.co.uk", "yahoo.co.jp", "orange.fr", "free.fr", "laposte.net", "libero.it", "mailinator.com",
  ]
}
