// swift-tools-version: 6.2
import PackageDescription

// An app's screens on GatehouseUI. A package of its own, so that no build on Linux meets it.
let package = Package(
  name: "Screens",
  platforms: [.macOS(.v13), .iOS(.v16)],
  products: [.library(name: "Screens", targets: ["Screens"])],
  dependencies: [.package(name: "Gatehouse", path: "../..")],
  targets: [
    .target(
      name: "Screens",
      dependencies: [
        .product(name: "GatehouseClient", package: "Gatehouse"), .product(name: "GatehouseUI", package: "Gatehouse"),
      ],
      path: "Sources",
      swiftSettings: [
        .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
      ])
  ])
