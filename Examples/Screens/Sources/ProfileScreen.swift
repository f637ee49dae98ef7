import Combine
import Foundation
public import GatehouseClient
public import SwiftUI

/// The record, and the devices that the person is signed in on. With a missing field it asks for that one.
public struct ProfileScreen: View {
  private let client: AuthClient
  private let missing: AuthStep?
  @Environment(\.app) private var app
  @StateObject private var model: ProfileModel

  /// A screen of this person. `missing` is what the access waits for.
  public init(_ client: AuthClient, user: AuthUser, missing: AuthStep? = nil) {
    self.client = client
    self.missing = missing
    _model = StateObject(wrappedValue: ProfileModel(client, user))
  }

  /// The screen.
  public var body: some View {
    Page(title: "Profile") {
      if let missing { Label(missing.message ?? "Please complete your profile", systemImage: "info.circle") }
      ForEach(app.fields) { field in
        ProfileField(field: field, text: $model[field.id], error: model.errors[field.id])
      }
      MessageRow(message: model.message)
      MainButton(title: "Save", isWorking: model.isWorking) { await model.save() }
      if missing == nil { devices }
      Button("Sign out", role: .destructive) { Task { await client.signOut() } }
    }
    .task { if missing == nil { await model.load() } }
  }

  @ViewBuilder private var devices: some View {
    Text("Devices").font(.headline).accessibilityAddTraits(.isHeader)
    switch model.devices {
    case nil: ProgressView()
    case let devices?:
      ForEach(devices) { device in
        HStack {
          VStack(alignment: .leading) {
            Text(device.name ?? "A device")
            Text(device.isCurrent ? "This device" : device.lastSeenAt.formatted(.relative(presentation: .named)))
              .font(.footnote).foregroundStyle(.secondary)
          }
          .accessibilityElement(children: .combine)
          Spacer()
          if !device.isCurrent {
            Button("Sign out") { Task { await model.end(device) } }
              .accessibilityLabel("Sign out \(device.name ?? "this device")")
          }
        }
      }
      if devices.count == 1 { Text("You are signed in nowhere else.").font(.footnote) }
    }
  }
}

/// The state and actions of the profile screen.
@MainActor
final class ProfileModel: ObservableObject {
  @Published private(set) var devices: [SignedInDevice]?
  @Published private(set) var errors: [String: String] = [:]
  @Published private(set) var message: String?
  @Published private(set) var isWorking = false
  @Published private var changes: [String: String] = [:]
  private let client: AuthClient
  private let user: AuthUser

  init(_ client: AuthClient, _ user: AuthUser) {
    self.client = client
    self.user = user
  }

  /// The text of a field: as typed, else as stored.
  subscript(field: String) -> String {
    get { changes[field] ?? (client.state.user ?? user)[field]?.string ?? "" }
    set { changes[field] = newValue }
  }

  func load() async {
    await run { [client] () async throws(AuthError) in self.devices = try await client.devices() }
  }

  func save() async {
    let changes = changes.mapValues { $0.isEmpty ? ProfileValue.null : .string($0) }
    await run { [client] () async throws(AuthError) in
      _ = try await client.updateProfile(changes)
      self.changes = [:]
    }
  }

  func end(_ device: SignedInDevice) async {
    await run { [client] () async throws(AuthError) in
      try await client.end(device: device.id)
      self.devices = try await client.devices()
    }
  }

  private func run(_ body: () async throws(AuthError) -> Void) async {
    guard !isWorking else { return }
    isWorking = true
    defer { isWorking = false }
    do throws(AuthError) {
      try await body()
      (message, errors) = (nil, [:])
    } catch {
      if error.code == .cancelled { return }
      message = error.message
      errors = Dictionary(error.violations.map { ($0.input, $0.sentence) }) { first, _ in first }
    }
  }
}
