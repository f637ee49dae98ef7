// swift-tools-version: 6.2
import PackageDescription

// The screens that the three apps share, in SwiftUI. A package of its own, so that no build on Linux meets it.
let package = Package(
  name: "Screens",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [.library(name: "Screens", targets: ["Screens"])],
  dependencies: [.package(name: "Gatehouse", path: "../..")],
  targets: [
    .target(
      name: "Screens", dependencies: [.product(name: "GatehouseClient", package: "Gatehouse")], path: "Sources",
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ])
  ])
