/// Members of an object being read, with a fast answer to "is this name taken?".
struct DistinctMembers {
  private(set) var list: [JSONObject.Member] = []
  /// Only for larger objects.
  private var names: Set<String> = []

  /// Swift's `==` is canonical equivalence, wider than equal bytes: two spellings of one name are refused as well.
  func contains(_ key: String) -> Bool {
    // GUARD: json: a name that is taken is found in one step
    if list.count > MemberIndex.few {
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
    if list.count == MemberIndex.few + 1 {
      names = Set(list.map(\.key))
    } else if list.count > MemberIndex.few {
      names.insert(member.key)
    }
  }
}

/// Where the members of a larger object stand, by the bytes of their names: one step for a look-up, however many there
/// are.
struct MemberIndex: Sendable {
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

  private var indices: [Name: Int] = [:]

  /// Nil for few members.
  init?(_ members: [JSONObject.Member]) {
    guard members.count > MemberIndex.few else { return nil }
    indices.reserveCapacity(members.count)
    for (index, member) in members.enumerated() { append(member.key, at: index) }
  }

  subscript(_ key: String) -> Int? {
    noteComparison()
    return indices[Name(text: key)]
  }

  mutating func append(_ key: String, at index: Int) {
    noteComparison()
    indices[Name(text: key)] = index
  }
}
