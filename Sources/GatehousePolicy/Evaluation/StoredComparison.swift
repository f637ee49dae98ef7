/// A candidate and the live policy asked about the same people who are stored. What both judge alike is judged once: a
/// candidate differs from the live policy in few rules, and there are millions of people.
public final class StoredComparison: Sendable {
  /// The whole answer about one person.
  public struct Answer: Sendable {
    /// The answer of the candidate.
    public var candidate: StoredCheck.Answer
    /// Places among the candidate's verdicts of those that fail, while the live policy's of the same id does not, in
    /// their order.
    public var newlyFailing: [Int]
    /// The access by the live policy.
    public var liveAccess: Access
  }

  private let candidate: StoredCheck
  private let live: StoredCheck
  /// For each of the candidate's subjects, the place of the live one with the same id.
  private let places: [Int?]
  /// Whether both policies judge the subject alike, by places of the candidate.
  private let isAlike: [Bool]
  /// The part of the live policy that judges values otherwise, as if they came in today.
  private let changed: Policy
  /// Whether both policies say the same of every sign-in.
  private let standsAlike: Bool

  /// - Parameter readsAlike: whether both read each stored profile with the same names.
  public init(_ candidate: StoredCheck, against live: StoredCheck, readsAlike: Bool) {
    self.candidate = candidate
    self.live = live
    let indices = Dictionary(live.subjects.enumerated().map { ($1.id, $0) }) { first, _ in first }
    places = candidate.subjects.map { indices[$0.id] }
    // An exception is another thing for each address, and holds until its own day.
    let mayBeAlike = readsAlike && candidate.entering.exceptions.isEmpty && live.entering.exceptions.isEmpty
    let alike: (rules: Set<String>, others: Policy) =
      mayBeAlike ? live.entering.parts(sharedWith: candidate.entering) : ([], live.entering)
    isAlike = candidate.subjects.map { alike.rules.contains($0.id) }
    changed = alike.others
    // The grace of a demand runs out by itself, without another stage.
    let isTimeless = live.instant == candidate.instant || live.standing.demands.isEmpty
    standsAlike = mayBeAlike && isTimeless && live.standing.isSame(as: candidate.standing)
  }

  /// Judges one person.
  /// - Parameters:
  ///   - read: the person as the candidate reads the profile.
  ///   - hasPassword: without one, rules on passwords have nothing to judge.
  public func judge(
    _ stored: StoredFacts, as read: StoredFacts, hasPassword: Bool, using source: some FactSource
  ) -> Answer {
    let new = candidate.judge(read, hasPassword: hasPassword, using: source)
    var answer = Answer(candidate: new, newlyFailing: [], liveAccess: new.access)
    var old: [StoredCheck.Verdict] = []
    var isEntered = false
    if !standsAlike {
      old = live.unjudged(hasPassword: hasPassword)
      answer.liveAccess = live.stand(stored, using: source, into: &old).access
    }
    for index in new.verdicts.indices where new.verdicts[index] == .fail {
      guard let place = places[index] else {
        answer.newlyFailing.append(index)
        continue
      }
      guard !isAlike[index], !(standsAlike && index >= candidate.ruleCount) else { continue }
      if !isEntered {
        isEntered = true
        if old.isEmpty { old = live.unjudged(hasPassword: hasPassword) }
        live.enter(stored, under: changed, using: source, into: &old)
      }
      if old[place] != .fail { answer.newlyFailing.append(index) }
    }
    return answer
  }
}

extension Policy {
  /// The ids of the rules that this policy and another have in common, with all that they hang on, and a policy of what
  /// is left of this one. Both are bare, and have no exceptions.
  fileprivate func parts(sharedWith other: Policy) -> (rules: Set<String>, others: Policy) {
    var rules: Set<String> = []
    var others = self
    if identifiers.email.isSame(as: other.identifiers.email) {
      rules.formUnion(([identifiers.email.syntaxRule] + identifiers.email.rules).map(\.id))
      others.identifiers.email = EmailPolicy()
    }
    others.profile.fields = profile.fields.filter { field in
      guard let twin = other.profile.field(field.name), twin.isSame(as: field) else { return true }
      rules.formUnion(([field.typeRule, field.formatRule] + field.rules).map(\.id))
      return false
    }
    return (rules, others)
  }

  /// Whether both say the same of everything that is stored. Both are bare.
  fileprivate func isSame(as other: Policy) -> Bool {
    self == other && identifiers.email.isSame(as: other.identifiers.email)
      && zip(profile.fields, other.profile.fields).allSatisfy { $0.isSame(as: $1) }
      && zip(demands, other.demands).allSatisfy { $0.isSame(as: $1) }
  }
}
