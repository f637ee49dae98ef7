import GatehouseAdminWire
import GatehouseIdentity
import GatehousePrimitives
import GatehouseServerTesting
import GatehouseTesting
import GatehouseWire
import Testing

/// The scenes of a server, each of which a browser can walk into.
struct PageStage {
  /// A scene, and the cookies with which a browser sees it.
  struct Place: Sendable {
    let scene: PageScene
    let address: String
    let cookies: [String: String]
  }

  let apps: ThreeApps
  let places: [Place]

  /// Runs a test with every scene, or with those that are chosen.
  static func run(
    _ chosen: (PageScene) -> Bool = { _ in true }, policy: (App, String) -> String = PageScene.policy,
    _ body: (PageStage) async throws -> Void
  ) async throws {
    try await ThreeApps.run(policy: policy) { apps in
      _ = try await SetSecret.run(
        .init(tenant: App.vibes.rawValue, name: "spotify_client", value: "s3cret"), apps.asOperator)
      // A proof that was given before the clock moves is old afterwards.
      var stale: [(PageScene, FormClient)] = []
      for scene in (PageScene.stale + PageScene.staleWithoutPassword + PageScene.staleWithFactor).filter(chosen) {
        let client = FormClient(apps, .messai)
        _ = try await client.signUp(.messai, scene.name)
        if PageScene.staleWithFactor.contains(where: { $0.name == scene.name }) {
          _ = try await client.enrol()
        }
        stale.append((scene, client))
      }
      for scene in PageScene.staleWithoutPassword.filter(chosen) {
        try await dropPassword(App.messai.email(scene.name), apps)
      }
      apps.server.clock.advance(seconds: 301)
      var places: [Place] = []
      for scene in PageScene.all where chosen(scene) {
        places.append(try await place(scene, FormClient(apps, scene.app)))
      }
      for (scene, client) in stale { places.append(try await place(scene, client)) }
      try await body(PageStage(apps: apps, places: places))
    }
  }

  /// The account as one that a provider made: without a password, with a proven address.
  private static func dropPassword(_ email: String, _ apps: ThreeApps) async throws {
    let tenant = try await apps.operatorCall(.messai).tenant.id
    let store = apps.server.services.store.open(tenant)
    let user = try #require(try await store.user(email: email)?.user)
    try await store.commit([.provider(.reclaim(user.id, email: email))], as: .job)
  }

  private static func place(_ scene: PageScene, _ client: FormClient) async throws -> Place {
    let page = try await scene.reach(client)
    let row = scene.row.prefix { $0 != "{" }
    try #require(page.status == 200 && page.path.hasPrefix(row), "\(scene.name): \(page.address) \(page.text)")
    return Place(scene: scene, address: client.server + page.address, cookies: client.cookies)
  }

  /// Steps that lead a browser, whatever it did before, to where a scene can be seen.
  /// `address` is another one of the same page.
  static func enter(_ place: Place, at address: String? = nil) -> [Browser.Step] {
    let steps: [Browser.Step] = [
      .forget, .hold(place.cookies, at: place.address), .open(address ?? place.address),
    ]
    return steps + place.scene.then
  }
}
