import Foundation
import GatehouseIdentity

let kState = MessageBrand(appName: "DD Ride", supportEmail: "help@ddride.example", primaryColor: "#512888")

func message(
  to: MailAddress = MailAddress(name: "Willie W", address: "willie@ksu.edu"), subject: String = "Hello",
  text: String = "Hi\n", html: String = "<p>Hi</p>\n", from: MailAddress? = nil, id: String = "0197.abc@ddride.example",
  headers: [MailMessage.Header] = [], sender: String = "no-reply@ddride.example"
) -> MailMessage {
  MailMessage(
    messageID: id, date: Date(timeIntervalSince1970: 1_795_253_400),
    from: from ?? MailAddress(name: "DD Ride", address: "no-reply@ddride.example"), sender: sender, to: to,
    mail: RenderedMail(subject: subject, text: text, html: html), headers: headers)
}
