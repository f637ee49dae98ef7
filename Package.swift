// swift-tools-version: 6.2
import PackageDescription

// The house in one place: which target may import which, and which C library belongs to whom.
// Tests/HouseTests reads Sources against the same table and fails with file and line.

/// Warnings are errors in this project's own builds, whose scripts set GATEHOUSE_STRICT. A newer compiler's warning
/// must not end the build of an app that depends on the client.
let warnings: [SwiftSetting] = Context.environment["GATEHOUSE_STRICT"] == nil ? [] : [.treatAllWarnings(as: .error)]

let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ] + warnings

/// A policy is proved by thousands of decisions each time it is checked. Without optimization that is most of the time
/// of the tests. Only in this project's own builds: an app may not depend on a target with unsafe flags.
let optimized: [SwiftSetting] =
  Context.environment["GATEHOUSE_STRICT"] == nil ? [] : [.unsafeFlags(["-O"], .when(configuration: .debug))]

func room(
  _ name: String, _ imports: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil,
  settings: [SwiftSetting] = []
) -> Target {
  .target(
    name: name, dependencies: imports, exclude: ["README.md"] + exclude, resources: resources,
    swiftSettings: strict + settings)
}

func tests(
  _ name: String, _ imports: [Target.Dependency], exclude: [String] = [], resources: [Resource]? = nil
) -> Target {
  .testTarget(name: name, dependencies: imports, exclude: exclude, resources: resources, swiftSettings: strict)
}

/// An example's module has a name of its own: an app that depends on this package may be called as the example is.
func example(_ app: String) -> Target {
  .executableTarget(
    name: "\(app)-example", dependencies: ["ExampleTerminal", "GatehouseClient"], path: "Examples/\(app)",
    swiftSettings: strict)
}

/// Without `pkgConfig`: SwiftPM looks such names up for every dependent package, and warns where the library is
/// missing, although apps build none of these targets. `CCurl`, which they build on Linux, has none either.
func library(_ name: String, apt: String) -> Target {
  .systemLibrary(name: name, path: "Sources/C/\(name)", providers: [.apt([apt])])
}

/// Of tests that stand on a server.
let testing: [Target.Dependency] = ["GatehouseServerTesting", "GatehouseTesting"]

/// What a server is joined from.
let parts: [Target.Dependency] = [
  "GatehousePolicy", "GatehouseWire", "GatehouseAdminWire", "GatehousePolicyFile", "GatehousePrimitives",
  "GatehouseIdentity", "GatehouseRuntime", "GatehousePostgres", "GatehouseOutbound", "GatehouseServer",
]
let rooms = parts + ["GatehouseAssembly"]

/// Everything that parses bytes from outside. Ordinary tests replay the corpus; with GATEHOUSE_FUZZ in the environment
/// (see `script/prove`) there is the fuzzer's program instead.
let parsers: [Target.Dependency] = ["GatehouseRuntime", "GatehousePrimitives", "GatehousePolicyFile"]
let fuzz: Target =
  Context.environment["GATEHOUSE_FUZZ"] == nil
  ? tests("FuzzTests", parsers, exclude: ["Corpus", "Driver"])
  : .executableTarget(
    name: "fuzz", dependencies: parsers, path: "Tests/FuzzTests", exclude: ["Corpus", "Replay"], swiftSettings: strict)

let package = Package(
  name: "Gatehouse",
  // What the client needs. The server runs on Linux.
  platforms: [.macOS(.v13), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .executable(name: "gatehouse", targets: ["gatehouse"]),
    // What apps import. None reaches an unsafe flag, so that apps may depend on a version, nor a C library, but for
    // libcurl on Linux.
    .library(name: "GatehouseClient", targets: ["GatehouseClient"]),
    .library(name: "GatehouseClientTesting", targets: ["GatehouseClientTesting"]),
    .library(name: "GatehouseUI", targets: ["GatehouseUI"]),
  ],
  targets: [
    // C libraries, one folder each.
    library("CEvent", apt: "libevent-dev"),
    library("CCrypto", apt: "libssl-dev"),
    library("CTLS", apt: "libssl-dev"),
    library("CNGHTTP2", apt: "libnghttp2-dev"),
    library("CPostgreSQL", apt: "libpq-dev"),
    library("CYAML", apt: "libyaml-dev"),
    library("CIDN2", apt: "libidn2-dev"),
    library("CMaxMindDB", apt: "libmaxminddb-dev"),
    library("CZxcvbn", apt: "libzxcvbn-dev"),
    library("CQREncode", apt: "libqrencode-dev"),
    .target(name: "CPlatform", path: "Sources/C/CPlatform"),
    .target(name: "CCurl", path: "Sources/C/CCurl", linkerSettings: [.linkedLibrary("curl")]),
    .target(name: "CResolver", path: "Sources/C/CResolver", linkerSettings: [.linkedLibrary("resolv")]),
    .target(
      name: "CSodium", path: "Sources/C/CSodium",
      // The static library, with mmap wrapped: argon2id reuses one block of memory per thread (see arena.c).
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "--wrap=mmap", "-Xlinker", "--wrap=munmap", "-Xlinker", "-l:libsodium.a"])
      ]),
    .target(name: "CPhoneNumber", path: "Sources/C/CPhoneNumber", linkerSettings: [.linkedLibrary("phonenumber")]),

    // Rooms: arrows only go down.
    room("GatehousePolicy", [], settings: optimized),
    room("GatehouseWire", ["GatehousePolicy"]),
    room("GatehouseAdminWire", ["GatehouseWire", "GatehousePolicy"]),
    room(
      "GatehouseClient",
      ["GatehouseWire", "GatehousePolicy", .target(name: "CCurl", condition: .when(platforms: [.linux]))],
      exclude: ["api.txt"]),
    // Empty on Linux. An app that does not name it does not build it.
    room("GatehouseUI", ["GatehouseClient", "GatehousePolicy"]),
    room("GatehouseClientTesting", ["GatehouseClient", "GatehouseWire", "GatehousePolicy"]),
    room("GatehousePolicyFile", ["GatehousePolicy", "CYAML", "CPlatform"], settings: optimized),
    room(
      "GatehousePrimitives",
      ["CCrypto", "CSodium", "CPhoneNumber", "CZxcvbn", "CIDN2", "CMaxMindDB", "CQREncode", "CPlatform"]),
    room(
      "GatehouseIdentity",
      ["GatehouseWire", "GatehouseAdminWire", "GatehousePolicy", "GatehousePolicyFile", "GatehousePrimitives"]),
    room("GatehouseRuntime", ["CEvent", "CTLS", "CNGHTTP2", "CPlatform"]),
    room(
      "GatehousePostgres",
      ["GatehouseIdentity", "GatehousePolicy", "GatehousePrimitives", "GatehouseRuntime", "CPostgreSQL", "CPlatform"],
      // The folder as a whole: each migration is a resource of its own.
      resources: [.embedInCode("Migrations/SQL")]),
    room(
      "GatehouseOutbound",
      ["GatehouseIdentity", "GatehousePolicy", "GatehousePrimitives", "GatehouseRuntime", "CCurl", "CResolver"]),
    room(
      "GatehouseServer",
      [
        "GatehouseIdentity", "GatehouseWire", "GatehouseAdminWire", "GatehousePolicy", "GatehousePrimitives",
        "GatehouseRuntime",
      ], resources: [.embedInCode("Assets/gatehouse.js"), .embedInCode("Assets/passkeys.js")]),
    room("GatehouseAssembly", parts),
    .executableTarget(
      name: "gatehouse", dependencies: rooms + ["CPlatform"], exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "gatehouse-bench", dependencies: ["GatehousePrimitives"], path: "Bench/Program", swiftSettings: strict),
    // What tests share: with the server, and without it.
    room(
      "GatehouseTesting", ["GatehousePrimitives", "CCrypto", "CPlatform"],
      resources: [
        .embedInCode("token_peer.py"), .embedInCode("https_peer.py"), .embedInCode("identity_peer.py"),
        .embedInCode("authlib_peer.py"), .embedInCode("name_peer.py"), .embedInCode("passkey_peer.py"),
      ]),
    room(
      "GatehouseServerTesting", rooms + ["GatehouseTesting", "CPlatform"], resources: [.embedInCode("mail_sink.py")]),

    // Examples of the client: programs, each for one of the three apps. No product has them, so no app builds them.
    .target(
      name: "ExampleTerminal", dependencies: ["GatehouseClient"], path: "Examples/Terminal", swiftSettings: strict),
    example("messai"), example("dd-ride"), example("vibes"),

    // Tests mirror Sources.
    tests("HouseTests", ["GatehouseTesting"]),
    tests("GatehousePolicyTests", ["GatehousePolicy", "GatehouseTesting"]),
    tests("GatehouseWireTests", ["GatehouseWire", "GatehouseAdminWire", "GatehousePolicy", "GatehouseTesting"]),
    tests(
      "GatehouseClientTests",
      ["GatehouseClient", "GatehouseClientTesting", "GatehousePolicy", "GatehouseWire", "GatehouseTesting"]),
    tests(
      "GatehousePolicyFileTests",
      ["GatehousePolicyFile", "GatehousePolicy", "GatehousePrimitives", "GatehouseTesting"],
      exclude: ["Accepted"]),
    tests("GatehousePrimitivesTests", ["GatehousePrimitives", "GatehouseTesting"], resources: [.copy("Corpus")]),
    tests("GatehouseIdentityTests", rooms + ["GatehouseTesting"]),
    tests("GatehouseRuntimeTests", ["GatehouseRuntime", "GatehouseClient", "GatehouseTesting", "CTLS", "CNGHTTP2"]),
    tests("GatehousePostgresTests", rooms + testing),
    tests("GatehouseOutboundTests", rooms + testing),
    tests("GatehouseServerTests", rooms + testing),
    tests("GatehouseAssemblyTests", rooms + testing),
    tests("ExampleTests", rooms + testing + ["messai-example", "dd-ride-example", "vibes-example"]),
    tests(
      "EndToEndTests", rooms + testing + ["gatehouse", "GatehouseClient", "GatehouseClientTesting"],
      exclude: ["Browser/browser.py"]),
    fuzz,
    tests("CommandTests", rooms + testing + ["gatehouse"], exclude: ["Answers", "Transcripts", "Words"]),
  ],
  cxxLanguageStandard: .cxx17
)
