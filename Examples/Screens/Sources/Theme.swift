public import Foundation
public import SwiftUI

/// Colours and spacing of one app. Type is the system's, so that it grows with the person's setting.
public struct Theme: Sendable {
  /// Buttons and links.
  public var tint: Color
  /// The colour of errors.
  public var alarm: Color
  /// Between the parts of a screen, in points.
  public var spacing: CGFloat
  /// Of fields and buttons, in points.
  public var radius: CGFloat
  /// The appearance; nil for the system's.
  public var appearance: ColorScheme?

  /// A theme.
  public init(
    tint: Color, alarm: Color = .red, spacing: CGFloat = 16, radius: CGFloat = 10, appearance: ColorScheme? = nil
  ) {
    self.tint = tint
    self.alarm = alarm
    self.spacing = spacing
    self.radius = radius
    self.appearance = appearance
  }

  /// messAI's.
  public static let messai = Theme(tint: Color(red: 0x25 / 255, green: 0x63 / 255, blue: 0xEB / 255))
  /// DD Ride's.
  public static let ride = Theme(tint: Color(red: 0x51 / 255, green: 0x28 / 255, blue: 0x88 / 255))
  /// vibes'.
  public static let vibes = Theme(
    tint: Color(red: 0x1D / 255, green: 0xB9 / 255, blue: 0x54 / 255), appearance: .dark)
}

/// The facts about an app that the screens need.
public struct AppDescription: Sendable {
  /// As people call it.
  public var name: String
  /// How it looks.
  public var theme: Theme
  /// Inputs of sign-up besides address and password.
  public var fields: [Field]
  /// Where providers send the person back to.
  public var redirect: URL?

  /// One input of sign-up.
  public struct Field: Sendable, Identifiable {
    /// The field's name in the policy.
    public var id: String
    /// Beside the input.
    public var label: String
    /// The kind of text that the system fills in.
    public var kind: Kind

    /// The kind of text that the system fills in.
    public enum Kind: Sendable { case name, username, phone, text }

    /// An input.
    public init(_ id: String, _ label: String, _ kind: Kind = .text) {
      self.id = id
      self.label = label
      self.kind = kind
    }
  }

  /// An app.
  public init(name: String, theme: Theme, fields: [Field], redirect: URL? = nil) {
    self.name = name
    self.theme = theme
    self.fields = fields
    self.redirect = redirect
  }

  /// messAI.
  public static let messai = AppDescription(
    name: "messAI", theme: .messai, fields: [Field("displayName", "Display name", .name)])
  /// DD Ride.
  public static let ride = AppDescription(
    name: "DD Ride", theme: .ride, fields: [Field("name", "Name", .name), Field("phoneNumber", "Phone", .phone)])
  /// vibes.
  public static let vibes = AppDescription(
    name: "vibes", theme: .vibes, fields: [Field("username", "Username", .username)],
    redirect: URL(string: "vibes://spotify-callback"))
}

extension EnvironmentValues {
  /// The app that the screens belong to.
  var app: AppDescription {
    get { self[AppKey.self] }
    set { self[AppKey.self] = newValue }
  }

  private struct AppKey: EnvironmentKey {
    static let defaultValue = AppDescription(name: "", theme: Theme(tint: .accentColor), fields: [])
  }
}
