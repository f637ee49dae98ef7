#if canImport(SwiftUI)
  public import Foundation
  public import GatehouseClient
  public import SwiftUI

  /// The account of the signed-in person: profile, password, address, connected accounts, devices, and its end.
  public struct AccountView: View {
    private let client: AuthClient
    private let redirect: URL?
    @StateObject private var session: SessionModel

    /// The account of this client's person. `redirect` is the address that providers send the person back to.
    public init(client: AuthClient, redirect: URL? = nil) {
      (self.client, self.redirect) = (client, redirect)
      _session = StateObject(wrappedValue: SessionModel(client))
    }

    private var words: Words { Words(client.configuration.languages) }

    /// A list of what may be changed, each on a screen of its own.
    public var body: some View {
      NavigationStack {
        Screen(title: words.account) {
          NavigationLink {
            ProfileView(client: client)
          } label: {
            Row(title: words.profile, symbol: "person")
          }
          if session.policy?.hasPasswords != false {
            NavigationLink {
              ChangePasswordView(client: client)
            } label: {
              Row(title: words.changePassword, symbol: "key")
            }
          }
          NavigationLink {
            ChangeEmailView(client: client)
          } label: {
            Row(title: words.changeEmail, symbol: "envelope")
          }
          if session.policy.map({ !$0.factors.isEmpty || $0.admitsPasskeys }) == true {
            NavigationLink {
              FactorsView(client: client)
            } label: {
              Row(
                title: session.policy?.factors.isEmpty == false ? words.factors : words.waysIn, symbol: "lock.shield")
            }
          }
          if !session.connections.isEmpty {
            NavigationLink {
              ConnectionsView(client: client, redirect: redirect)
            } label: {
              Row(title: words.connections, symbol: "link")
            }
          }
          NavigationLink {
            DevicesView(client: client)
          } label: {
            Row(title: words.devices, symbol: "laptopcomputer")
          }
          NavigationLink {
            DeleteAccountView(client: client)
          } label: {
            Row(title: words.deleteAccount, symbol: "trash")
          }
          SideButton(title: words.signOut, role: .destructive) { await client.signOut() }
        }
      }
      .task { await session.load() }
      .modifier(Surroundings(client: client, policy: session.policy))
    }
  }

  /// A way to a screen of the account.
  private struct Row: View {
    let title: String
    let symbol: String

    var body: some View {
      Label(title, systemImage: symbol).frame(maxWidth: .infinity, minHeight: 44, alignment: .leading)
    }
  }

  /// The person's own profile fields.
  public struct ProfileView: View {
    private let isStep: Bool
    @StateObject private var model: ProfileModel
    @FocusState private var focus: String?

    /// The form. As a step on the way in it leads on when it is saved.
    public init(client: AuthClient, isStep: Bool = false) {
      self.isStep = isStep
      _model = StateObject(wrappedValue: ProfileModel(client))
    }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The form, or the reason why there is none.
    public var body: some View {
      Screen(title: isStep ? words.oneMore : words.profile) {
        ForEach(model.fields) { field in
          FieldInput(field: field, text: $model[field.name], error: model.fieldErrors[field.name])
            .focused($focus, equals: field.name)
            .submitLabel(.done)
        }
        ForEach(model.fixedFields) { field in
          Labelled(label: field.label, error: nil) {
            Text(model.text(of: field)).frame(maxWidth: .infinity, alignment: .leading)
          }
        }
        Notice(model: model) { model.policy == nil ? await load() : await submit() }
        if model.policy == nil, model.isWorking { ProgressView() }
        if model.policy != nil, model.fields.isEmpty { Remark(text: words.noFields) }
        if model.isSaved { Remark(text: words.saved, symbol: "checkmark.circle") }
        if !model.fields.isEmpty {
          MainButton(title: isStep ? words.continueWord : words.save, isWorking: model.isWorking) { await submit() }
        }
      }
      .moves(with: model.isSaved)
      .task { _ = await load() }
      .modifier(Own(client: model.client))
    }

    private func load() async -> Bool {
      await model.load()
      return model.policy != nil
    }

    private func submit() async -> Bool {
      let isDone = await model.submit()
      if !isDone { focus = model.firstFault }
      return isDone
    }
  }
#endif
