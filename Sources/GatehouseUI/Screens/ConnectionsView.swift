#if canImport(SwiftUI)
  public import Foundation
  public import GatehouseClient
  public import SwiftUI

  /// The person's accounts at providers, each with a screen that links or unlinks it.
  public struct ConnectionsView: View {
    private let client: AuthClient
    private let redirect: URL?
    @StateObject private var session: SessionModel

    /// The list. `redirect` is the address that providers send the person back to: it opens the app.
    public init(client: AuthClient, redirect: URL? = nil) {
      (self.client, self.redirect) = (client, redirect)
      _session = StateObject(wrappedValue: SessionModel(client))
    }

    private var words: Words { Words(client.configuration.languages) }

    /// The list.
    public var body: some View {
      Screen(title: words.connections) {
        ForEach(session.connections) { connection in
          NavigationLink {
            LinkView(client: client, provider: connection.provider, redirect: redirect)
          } label: {
            ConnectionRow(connection: connection)
          }
        }
      }
      .moves(with: session.connections)
      .task { await session.load() }
      .modifier(Surroundings(client: client, policy: session.policy))
    }
  }

  /// An account at a provider, and whether it is linked.
  private struct ConnectionRow: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.words) private var words
    let connection: SessionModel.Connection

    var body: some View {
      VStack(alignment: .leading, spacing: AuthTheme.space(0.5)) {
        Text(connection.title)
        Text(note).font(theme.note).foregroundStyle(isBroken ? theme.alarm : .secondary)
      }
      .frame(maxWidth: .infinity, minHeight: 44, alignment: .leading)
      .accessibilityElement(children: .combine)
    }

    private var isBroken: Bool { connection.link?.isBroken == true }

    private var note: String {
      guard let link = connection.link else { return words.notConnected }
      let day = link.linkedAt.formatted(date: .abbreviated, time: .omitted)
      return link.isBroken ? words.connectAgain : words.connectedSince(day)
    }
  }
#endif
