/// Text as people type and paste it. The one cleaner of texts that name a person or are a code: at every door, in every
/// form, command and check of the SDK. The work of each function is linear in its input.
package enum TypedText {
  /// Without what shows nothing at both ends. Inside, and behind an emoji or ideograph whose form it decides, it stays.
  package static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard let first = scalars.first, let last = scalars.last, first.isInvisible || last.isInvisible else { return text }
    guard let start = scalars.firstIndex(where: { !$0.isInvisible }),
      let final = scalars.lastIndex(where: { !$0.isInvisible })
    else { return "" }
    var end = scalars.index(after: final)
    if scalars[final].takesSelectors {
      while end < scalars.endIndex, scalars[end].isSelector { end = scalars.index(after: end) }
    }
    return String(scalars[start..<end])
  }

  /// Whether a person sees anything of the text.
  package static func isShown(_ text: String) -> Bool { text.unicodeScalars.contains(where: \.isShown) }

  /// Bytes of a text that a code is looked for in.
  static let longestSentence = 1024

  /// The code of so many digits in a text, in ASCII: the digits count by their value in any script, and dashes and
  /// blanks between them do not matter. A sentence that holds one such code is that code; nil where there is none, or
  /// more than one.
  package static func code(in text: String, digits count: Int) -> String? {
    guard text.utf8.count <= longestSentence else { return nil }
    var codes: Set<String> = []
    // `123 456` is one code, and so is the second number of `10 123456`.
    var (unbroken, joined) = ("", "")
    func end(_ run: inout String) {
      if run.utf8.count == count { codes.insert(run) }
      run = ""
    }
    for scalar in text.unicodeScalars {
      if let digit = scalar.digit {
        unbroken += String(digit)
        joined += String(digit)
      } else {
        end(&unbroken)
        if !scalar.joinsDigits { end(&joined) }
      }
    }
    end(&unbroken)
    end(&joined)
    return codes.count == 1 ? codes.first : nil
  }

  /// A whole number: trimmed, its digits by their value in any script, without blanks.
  package static func integer(_ text: String) -> Int64? {
    guard text.utf8.count <= longestSentence else { return nil }
    var ascii = ""
    for scalar in text.unicodeScalars where !scalar.isInvisible {
      if let digit = scalar.digit {
        ascii += String(digit)
      } else if scalar.isDash, ascii.isEmpty {
        ascii = "-"
      } else {
        return nil
      }
    }
    return Int64(ascii)
  }

  /// A telephone number as ASCII has it: digits by their value in any script, each dash as `-`, each blank as U+0020,
  /// full width as half, and nothing that is not seen. What else the text holds stays.
  package static func phone(_ text: String) -> String {
    var ascii = String.UnicodeScalarView()
    for scalar in trimmed(text).unicodeScalars {
      if (0x20...0x7E).contains(scalar.value) {
        ascii.append(scalar)
      } else if let digit = scalar.digit {
        ascii.append(contentsOf: String(digit).unicodeScalars)
      } else if scalar.isDash {
        ascii.append("-")
      } else if scalar.properties.generalCategory == .spaceSeparator || scalar.value == 0x2800 {
        ascii.append(" ")
      } else if !scalar.properties.isDefaultIgnorableCodePoint {
        ascii.append(phoneMarks[scalar] ?? scalar)
      }
    }
    return String(ascii)
  }

  /// The marks of telephone numbers in other widths, and the dots in the middle of a line.
  private static let phoneMarks: [Unicode.Scalar: Unicode.Scalar] = {
    var marks: [Unicode.Scalar: Unicode.Scalar] = [
      "\u{FE62}": "+", "\u{FE59}": "(", "\u{FE5A}": ")", "\u{B7}": ".", "\u{2024}": ".", "\u{2027}": ".",
      "\u{30FB}": ".", "\u{FF65}": ".",
    ]
    for value in UInt32(0xFF01)...0xFF5E {
      if let wide = Unicode.Scalar(value), let narrow = Unicode.Scalar(value - 0xFEE0) { marks[wide] = narrow }
    }
    return marks
  }()

  /// A password in the form that is judged and hashed: OpaqueString of RFC 8265, section 4.2, so every blank (Zs) is
  /// U+0020 and the rest is in NFC. Nothing is cut off.
  package static func password(_ text: String) -> String {
    guard !Text.isASCII(text) else { return text }
    let blank = Unicode.Scalar(0x20 as UInt8)
    let scalars = text.unicodeScalars.lazy.map { scalar in
      scalar.value > 0x7F && scalar.properties.generalCategory == .spaceSeparator ? blank : scalar
    }
    return Text.nfc(String(String.UnicodeScalarView(scalars)))
  }

  /// Whether a password holds a control character, which RFC 8265 refuses.
  static func hasControl(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
  }
}
