import GatehousePolicy
import GatehouseWire

/// Moments as people read them, in UTC, which is said beside them: a server does not know where its reader is. The
/// script does.
struct MomentWords: Sendable {
  let months: [String]
  let date: @Sendable (_ day: String, _ month: String, _ year: String) -> String

  /// Between a day and a time.
  var comma = ", "

  /// `November 25, 2026`
  func day(_ moment: Timestamp) -> String {
    let parts = moment.description.prefix(10).split(separator: "-").map(String.init)
    guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]), months.indices.contains(month - 1)
    else { return moment.description }
    return date(String(day), months[month - 1], parts[0])
  }

  /// `March 1, 2027`
  func day(_ day: Day) -> String { date(String(day.day), months[day.month - 1], String(day.year)) }

  /// The same as `text`, which the script turns into the reader's own time.
  func element(_ moment: Timestamp) -> HTML { "<time datetime=\"\(moment.description)\">\(text(moment))</time>" }

  /// `November 25, 2026, 20:06 UTC`
  func text(_ moment: Timestamp) -> String {
    "\(day(moment))\(comma)\(moment.description.dropFirst(11).prefix(5))\u{A0}UTC"
  }

  /// `20:06 UTC`
  func time(_ moment: Timestamp) -> String { "\(moment.description.dropFirst(11).prefix(5))\u{A0}UTC" }

  /// The same in a page. The script writes it in the reader's own time.
  func clock(_ moment: Timestamp) -> HTML {
    "<time class=\"clock\" datetime=\"\(moment.description)\">\(time(moment))</time>"
  }

  static let english = MomentWords(
    months: [
      "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
      "December",
    ], date: { "\($1) \($0), \($2)" })

  static let spanish = MomentWords(
    months: [
      "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre",
      "diciembre",
    ], date: { "\($0) de \($1) de \($2)" })
}
