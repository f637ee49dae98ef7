#if canImport(SwiftUI)
  import Foundation
  public import GatehouseClient
  public import SwiftUI

  /// The second factors of the person: a list, an authenticator app or a passkey to add, and recovery codes.
  public struct FactorsView: View {
    @StateObject private var model: FactorsModel

    /// The screen.
    public init(client: AuthClient) { self.init(model: FactorsModel(client)) }

    /// A screen whose model is another view's: that one shows the recovery codes when this one is gone.
    init(model: @autoclosure @escaping () -> FactorsModel) { _model = StateObject(wrappedValue: model()) }

    private var words: Words { Words(model.client.configuration.languages) }

    /// The list, or what the person does now.
    public var body: some View {
      Group {
        if !model.recoveryCodes.isEmpty {
          RecoveryCodesView(model: model)
        } else if model.waiting != nil {
          proof
        } else if let enrolment = model.enrolment {
          EnrolmentView(model: model, enrolment: enrolment)
        } else {
          list
        }
      }
      .modifier(Own(client: model.client))
    }

    private var list: some View {
      Screen(title: words.factors) {
        ForEach(model.factors?.items ?? []) { factor in FactorRow(model: model, factor: factor) }
        if model.factors == nil, model.isWorking { ProgressView() }
        if let factors = model.factors {
          if factors.items.isEmpty {
            Remark(text: model.canAddApp ? words.noFactors : words.noPasskeys)
            if let due = factors.due {
              Remark(text: words.neededFrom(due.formatted(date: .abbreviated, time: .omitted)), symbol: "calendar")
            }
          } else {
            Remark(text: words.codesLeft(factors.recoveryCodesLeft), symbol: "lifepreserver")
            if model.isShortOfCodes { Remark(text: words.fewCodes, symbol: "exclamationmark.triangle") }
          }
        }
        TextInput(label: words.nameOfApp, text: $model.name, kind: .text)
        Notice(model: model) { await model.load() }
        if model.canAddApp {
          MainButton(title: words.addApp, isWorking: model.isWorking) { await model.add() }
          if model.canAddPasskey { SideButton(title: words.addPasskey) { await addPasskey() } }
        } else if model.canAddPasskey {
          MainButton(title: words.addPasskey, isWorking: model.isWorking) {
            await addPasskey()
            return nil
          }
        }
        if model.factors?.items.isEmpty == false {
          SideButton(title: words.newCodes) { Haptics.play(await model.makeRecoveryCodes()) }
        }
      }
      .moves(with: model.factors)
      .task { await model.load() }
    }

    /// A question that the person closed is no failure.
    private func addPasskey() async {
      let isDone = await model.addPasskey()
      if isDone || model.error != nil { Haptics.play(isDone) }
    }

    private var proof: some View {
      Screen(title: words.confirmYou) {
        ProofInput(model: model)
        Notice(model: model) { await model.prove() }
        MainButton(title: words.continueWord, isWorking: model.isWorking) { await model.prove() }
        SideButton(title: words.cancel) { model.cancel() }
      }
    }
  }

  /// One factor, with a button that removes it.
  private struct FactorRow: View {
    @Environment(\.authTheme) private var theme
    @Environment(\.words) private var words
    @ObservedObject var model: FactorsModel
    @State private var isAsking = false
    let factor: SecondFactor

    var body: some View {
      HStack(spacing: AuthTheme.space(1)) {
        VStack(alignment: .leading, spacing: AuthTheme.space(0.5)) {
          Text(name)
          if let used = factor.lastUsedAt {
            Text(words.lastUsed(used.formatted(.relative(presentation: .named)))).font(theme.note)
              .foregroundStyle(.secondary)
          }
          if factor.isSynced == true { Text(words.synced).font(theme.note).foregroundStyle(.secondary) }
        }
        .accessibilityElement(children: .combine)
        Spacer()
        SideButton(title: words.remove, role: .destructive) { isAsking = true }
          .accessibilityLabel(words.removeFactor(name))
      }
      .confirmationDialog(words.removeFactor(name), isPresented: $isAsking, titleVisibility: .visible) {
        Button(words.remove, role: .destructive) { Task { Haptics.play(await model.remove(factor)) } }
        Button(words.removeLost, role: .destructive) {
          Task { Haptics.play(await model.remove(factor, isLost: true)) }
        }
        Button(words.cancel, role: .cancel) {}
      } message: {
        Text(words.lastFactorGoes)
      }
    }

    private var name: String {
      if let name = factor.name { return name }
      switch factor.kind {
      case .totp: return words.authenticator
      case .passkey: return words.passkey
      default: return words.otherFactor
      }
    }
  }
#endif
