import GatehouseIdentity
import GatehousePolicy
@testable import GatehousePostgres
import GatehouseServerTesting
import GatehouseTesting
import Testing

@Suite("Accounts by the beginning of an address or a name")
struct UserSearchRowsTests {
  private func insert(
    _ ground: StoreFixture, _ number: Int, _ email: String?, _ profile: [String: FieldValue] = [:],
    _ change: (inout StoredUser) -> Void = { _ in }
  ) async throws {
    var user = sampleUser(number, ground.now)
    user.email = email
    user.emailVerifiedAt = nil
    user.profile = profile
    change(&user)
    try await ground.store.commit([.user(.insert(user, unique: []))])
  }

  /// The numbers of those whom pages of this size find, in their order.
  private func find(
    _ ground: StoreFixture, _ typed: String, _ filter: UserFilter = UserFilter(), size: Int = 100
  ) async throws -> [Int] {
    let beginning = UserBeginning(address: typed, name: typed, fields: ["name", "nick"])
    var (found, place) = ([Int](), nil as UserPlace?)
    while true {
      let page = try await ground.store.users(filter, beginning: beginning, after: place, limit: size)
      found += page.found.map { user, _ in (1...50).first { UserID(id($0)) == user.id } ?? 0 }
      guard page.count == size else { return found }
      place = page.last
    }
  }

  @Test("an address is found by its beginning, and by nothing within it")
  func addresses() async throws {
    try await withStore { ground async throws in
      try await insert(ground, 1, "kay@example.com")
      try await insert(ground, 2, "okay@example.com")
      #expect(try await find(ground, "kay") == [1])
    }
  }

  @Test(
    "a name is found by its beginning, without case and marks", arguments: ["zoe", "ZOE", "Zoë", "Zo\u{65}\u{308}"])
  func names(typed: String) async throws {
    try await withStore { ground async throws in
      try await insert(ground, 1, "a@example.com", ["name": .string("Zoë Young")])
      try await insert(ground, 2, "b@example.com", ["name": .string("Joe Zoe")])
      #expect(try await find(ground, typed) == [1])
    }
  }

  @Test("a field that is not searched finds no user")
  func fields() async throws {
    try await withStore { ground async throws in
      try await insert(ground, 1, "a@example.com", ["town": .string("Zoetermeer")])
      #expect(try await find(ground, "zoe") == [])
    }
  }

  @Test("signs with a meaning in patterns are letters as others are", arguments: ["%", "_", "\\", "a%", "a_c"])
  func patterns(typed: String) async throws {
    try await withStore { ground async throws in
      try await insert(ground, 1, "abc@example.com", ["name": .string("abc")])
      #expect(try await find(ground, typed) == [])
    }
  }

  @Test("disabled users, and users without an address, are found too")
  func everyState() async throws {
    try await withStore { ground async throws in
      try await insert(ground, 1, "zoe@example.com") { $0.disabledAt = ground.now }
      try await insert(ground, 2, nil, ["name": .string("Zoe")])
      #expect(try await find(ground, "zoe") == [2, 1])
    }
  }

  @Test("a user with several texts that begin so is found once, however small the pages are", arguments: 1...7)
  func once(size: Int) async throws {
    try await withStore { ground async throws in
      for number in 1...9 {
        try await insert(
          ground, number, "zoe\(number)@example.com",
          ["name": .string("Zoe \(number)"), "nick": .string("zoe\(9 - number)")])
      }
      #expect(try await find(ground, "zoe", size: size).sorted() == Array(1...9))
    }
  }

  @Test("users without an address are found page by page, and by no part of an address", arguments: [1, 2, 100])
  func addressless(size: Int) async throws {
    try await withStore { ground async throws in
      for number in 1...5 {
        try await insert(ground, number, nil, ["name": .string("Zoe \(number)"), "nick": .string("zoe")])
      }
      #expect(try await find(ground, "zoe", size: size) == [1, 2, 3, 4, 5])
      #expect(try await find(ground, "zoe", UserFilter(emailContains: "z"), size: size) == [])
    }
  }

  @Test("pages are in one order, whatever their size", arguments: [1, 2, 5, 100])
  func order(size: Int) async throws {
    try await withStore { ground async throws in
      for (number, name) in ["zob", "zoa", "zod", "zoc", "zoa"].enumerated() {
        try await insert(ground, number + 1, "user\(number)@example.com", ["name": .string(name)])
      }
      #expect(try await find(ground, "zo", size: size) == [2, 5, 1, 4, 3])
    }
  }

  @Test("further conditions leave users out, and the pages go on behind these", arguments: [1, 3, 100])
  func conditions(size: Int) async throws {
    try await withStore { ground async throws in
      for number in 1...9 {
        try await insert(ground, number, "zoe\(number)@example.com") {
          $0.emailVerifiedAt = number == 8 ? nil : ground.now
        }
      }
      #expect(try await find(ground, "zoe", UserFilter(isUnverified: true), size: size) == [8])
    }
  }

  @Test("a change of many finds the users that a list finds")
  func sameInWalks() async throws {
    try await withStore { ground async throws in
      try await insert(ground, 1, "zoe@example.com")
      try await insert(ground, 2, "a@example.com", ["name": .string("Zoë")])
      try await insert(ground, 3, nil, ["name": .string("Joe")])
      let beginning = UserBeginning(address: "zoe", name: "zoe", fields: ["name"])
      let found = try await ground.store.users(UserFilter(begins: beginning), after: nil, through: nil, limit: 10)
      #expect(found.map(\.id) == [UserID(id(2)), UserID(id(1))])
    }
  }

  @Test("users of another tenant are not found")
  func tenants() async throws {
    try await withStore { ground async throws in
      let other = try await ground.makeTenant("other")
      var user = sampleUser(1, ground.now)
      user.profile = ["name": .string("Zoe")]
      try await other.store.commit([.user(.insert(user, unique: []))])
      #expect(try await find(ground, "zoe") + (try await find(ground, "person")) == [])
    }
  }
}
