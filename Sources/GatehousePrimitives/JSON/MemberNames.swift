/// Members of an object being read, with a fast answer to "is this name taken?".
struct DistinctMembers {
  private(set) var list: [JSONObject.Member] = []
  /// Only for larger objects.
  private var names: Set<String> = []

  /// Swift's `==` is canonical equivalence, wider than equal bytes: two spellings of one name are refused as well.
  func contains(_ key: String) -> Bool {
    // GUARD: json: a name that is taken is found in one step
    if list.count > MemberPlaces.few {
      noteComparison()
      return names.contains(key)
    }
    return list.contains {
      noteComparison()
      return $0.key == key
    }
  }

  mutating func append(_ member: JSONObject.Member) {
    list.append(member)
    if list.count == MemberPlaces.few + 1 {
      names = Set(list.map(\.key))
    } else if list.count > MemberPlaces.few {
      names.insert(member.key)
    }
  }
}

/// Where the members of a larger object stand, by the bytes of their names: one step for a look-up, however many there are.
struct MemberPlaces: Sendable {
  /// Up to so many names comparing each is quicker than hashing.
  static let few = 12

  private struct Name: Hashable {
    let text: String

    static func == (one: Name, other: Name) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

    func hash(into hasher: inout Hasher) {
      var text = text
      text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
  }

  private var places: [Name: Int] = [:]

  /// Nil for few members.
  init?(_ members: [JSONObject.Member]) {
    guard members.count > MemberPlaces.few else { return nil }
    places.reserveCapacity(members.count)
    for (place, member) in members.enumerated() { append(member.key, at: place) }
  }

  subscript(_ key: String) -> Int? {
    noteComparison()
    return places[Name(text: key)]
  }

  mutating func append(_ key: String, at place: Int) {
    noteComparison()
    places[Name(text: key)] = place
  }
}
