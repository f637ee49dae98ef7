#if canImport(SwiftUI)
  import Foundation
  public import GatehouseClient
  public import SwiftUI

  /// The devices that the person is signed in on.
  public struct DevicesView: View {
    @StateObject private var model: DevicesModel

    /// The list.
    public init(client: AuthClient) { _model = StateObject(wrappedValue: DevicesModel(client)) }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The list, or the reason why there is none.
    public var body: some View {
      Screen(title: words.devices) {
        ForEach(model.devices ?? []) { device in DeviceRow(model: model, device: device) }
        if model.devices == nil, model.isWorking { ProgressView() }
        if model.isOnlyHere { Remark(text: words.onlyHere) }
        Notice(model: model) { await model.load() }
        if model.devices?.isEmpty == false, !model.isOnlyHere {
          SideButton(title: words.signOutOthers, role: .destructive) { Haptics.play(await model.endOthers()) }
        }
      }
      .moves(with: model.devices)
      .task { await model.load() }
      .modifier(Own(client: model.client))
    }
  }

  /// One device, with a button that signs it out.
  private struct DeviceRow: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.words) private var words
    @ObservedObject var model: DevicesModel
    let device: SignedInDevice

    var body: some View {
      HStack(spacing: AuthTheme.space(1)) {
        VStack(alignment: .leading, spacing: AuthTheme.space(0.5)) {
          Text(device.name ?? words.aDevice)
          Text(note).font(theme.note).foregroundStyle(.secondary)
        }
        .accessibilityElement(children: .combine)
        Spacer()
        if !device.isCurrent {
          SideButton(title: words.signOut, role: .destructive) { Haptics.play(await model.end(device)) }
            .accessibilityLabel(words.signOutDevice(device.name ?? words.aDevice))
        }
      }
    }

    private var note: String {
      let seen = device.lastSeenAt.formatted(.relative(presentation: .named))
      let time = device.isCurrent ? words.thisDevice : words.lastUsed(seen)
      return [device.place, time].compactMap { $0 }.joined(separator: " · ")
    }
  }
#endif
