import Foundation
import GatehouseIdentity

let kState = MailBrand(appName: "DD Ride", supportEmail: "help@ddride.example", primaryColor: "#512888")

func message(
  to: MailAddress = MailAddress(name: "Willie W", address: "willie@ksu.edu"), subject: String = "Hello",
  text: String = "Hi\n", html: String = "<p>Hi</p>\n", from: MailAddress? = nil, id: String = "0197.abc@ddride.example",
  headers: [MailMessage.Header] = []
) -> MailMessage {
  MailMessage(
    messageID: id, date: Date(timeIntervalSince1970: 1_795_253_400),
    from: from ?? MailAddress(name: "DD Ride", address: "no-reply@ddride.example"), to: to,
    mail: RenderedMail(subject: subject, text: text, html: html), headers: headers)
}

/// A small generator with a seed that a failing test can print (SplitMix64).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }
}
