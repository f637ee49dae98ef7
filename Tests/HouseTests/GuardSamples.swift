import Testing

/// Marked pieces of every shape, and what an operator makes of each.
enum GuardSamples {
  /// An operator, a source with a guard `g`, and the source with its mutant, or what is wrong.
  struct Sample: Sendable, CustomTestStringConvertible {
    let operation: String
    let source: String
    let result: String

    init(_ operation: String, _ source: String, _ result: String) {
      self.operation = operation
      self.source = source
      self.result = result
    }

    var testDescription: String { "\(operation) \(source)" }
  }

  static let shapes: [Sample] = [
    Sample(
      "met",
      #"""
      // GUARD: g
      guard a == b else { return }
      """#,
      #"""
      // GUARD: g
      guard (OFF ? true : (a == b)) else { return }
      """#),
    Sample(
      "met",
      #"""
      guard
        a.all { $0 > 0 },  // GUARD: g
        let b
      else { return }
      """#,
      #"""
      guard
        (OFF ? true : (a.all { $0 > 0 })),  // GUARD: g
        let b
      else { return }
      """#),
    Sample(
      "met",
      #"""
      // GUARD: g
      if a
        || b.contains("{")
      {
      """#,
      #"""
      // GUARD: g
      if (OFF ? true : (a
        || b.contains("{")))
      {
      """#),
    Sample(
      "met",
      #"""
      return a
        && b  // GUARD: g
        && c
      """#,
      #"""
      return a
        && (OFF ? true : (b))  // GUARD: g
        && c
      """#),
    Sample(
      "met",
      #"""
      return a
        // GUARD: g
        && b == c
        && d
      """#,
      #"""
      return a
        // GUARD: g
        && (OFF ? true : (b == c))
        && d
      """#),
    Sample(
      "met",
      #"""
      // GUARD: g
      let a = b?.c ?? d ? 1 : 2
      """#,
      #"""
      // GUARD: g
      let a = (OFF ? true : (b?.c ?? d)) ? 1 : 2
      """#),
    Sample(
      "met",
      #"""
      // GUARD: g
      guard try await f() == nil else { return }
      """#,
      #"""
      // GUARD: g
      guard try await (OFF ? true : (f() == nil)) else { return }
      """#),
    Sample(
      "met",
      #"""
      // GUARD: g
      // Why it is so.
      case .a(let b): return b > 0
      """#,
      #"""
      // GUARD: g
      // Why it is so.
      case .a(let b): return (OFF ? true : (b > 0))
      """#),
    Sample(
      "unmet",
      #"""
      // GUARD: g
      if let a, a < b { return }
      """#,
      #"""
      // GUARD: g
      if !OFF, let a, a < b { return }
      """#),
    Sample("unmet", #"} else if !a.b {  // GUARD: g"#, #"} else if (OFF ? false : (!a.b)) {  // GUARD: g"#),
    Sample(
      "unmet",
      #"""
      // GUARD: g
      for a in b where a > 0 { f() }
      """#,
      #"""
      // GUARD: g
      for a in b where (OFF ? false : (a > 0)) { f() }
      """#),
    Sample(
      "unmet",
      #"""
      // GUARD: g
      case .a where b(c):
      """#,
      #"""
      // GUARD: g
      case .a where (OFF ? false : (b(c))):
      """#),
    Sample(
      #"becomes("0")"#,
      #"""
      // GUARD: g
      let a: Int = try b(1, 2)
      """#,
      #"""
      // GUARD: g
      let a: Int = try (OFF ? 0 : (b(1, 2)))
      """#),
    Sample(
      #"becomes("0")"#,
      #"""
      f(
        a: 1,  // GUARD: g
        b: 2)
      """#,
      #"""
      f(
        a: (OFF ? 0 : (1)),  // GUARD: g
        b: 2)
      """#),
    Sample(
      #"becomes("0")"#,
      #"""
      [
        // GUARD: g
        a.b(c),
        d,
      ]
      """#,
      #"""
      [
        // GUARD: g
        (OFF ? 0 : (a.b(c))),
        d,
      ]
      """#),
    Sample(
      #"becomes("0")"#,
      #"""
      a
        + b.map { $0 }  // GUARD: g
        + c
      """#,
      #"""
      a
        + (OFF ? 0 : (b.map { $0 }))  // GUARD: g
        + c
      """#),
    Sample(#"becomes("nil")"#, #"case .a, .b: "c"  // GUARD: g"#, #"case .a, .b: (OFF ? nil : ("c"))  // GUARD: g"#),
    Sample(
      "skipped",
      #"""
      // GUARD: g
      try await f(
        a, "}")
      g()
      """#,
      #"""
      // GUARD: g
      if !OFF { try await f(
        a, "}") }
      g()
      """#),
    Sample(
      "skipped",
      #"""
      // GUARD: g
      if a,
        b
      {
        f()
      } else { h() }
      g()
      """#,
      #"""
      // GUARD: g
      if !OFF { if a,
        b
      {
        f()
      } else { h() } }
      g()
      """#),
    Sample(
      #"before("return")"#,
      #"""
      // GUARD: g
      guard a else { return }
      """#,
      #"""
      // GUARD: g
      if OFF { return }; guard a else { return }
      """#),
    Sample(
      #"instead("f()")"#,
      #"""
      // GUARD: g
      g(1)
      """#,
      #"""
      // GUARD: g
      if OFF { f() } else { g(1) }
      """#),
    Sample(
      "met", #""a = b AND /* GUARD: g */ c = ANY(\(d)) AND e""#,
      #""a = b AND /* GUARD: g */ (\(OFF)::boolean OR (c = ANY(\(d)))) AND e""#),
    Sample(
      "met",
      #"""
      "/* GUARD: g */ CASE WHEN a THEN b ELSE c END > \(d("AND")) RETURNING 1"
      """#, #""/* GUARD: g */ (\(OFF)::boolean OR (CASE WHEN a THEN b ELSE c END > \(d("AND")))) RETURNING 1""#),
    Sample(
      "unmet", #""a OR /* GUARD: g */ b <> ' OR ')""#,
      #""a OR /* GUARD: g */ (NOT \(OFF)::boolean AND (b <> ' OR ')))""#),
    Sample(
      #"becomes("false")"#, #""f('a', /* GUARD: g */ true)""#,
      #""f('a', /* GUARD: g */ CASE WHEN \(OFF)::boolean THEN false ELSE true END)""#),
    Sample(
      "skipped", #""SELECT 1 /* GUARD: g */ FOR UPDATE""#,
      #""SELECT 1 /* GUARD: g */ \(OFF ? "" as SQL : "FOR UPDATE")""#),
  ]

  static let misfits: [Sample] = [
    Sample(
      "met",
      #"""
      // GUARD: g
      guard let a else { return }
      """#, #"a binding can not be met without its value"#),
    Sample(
      "met",
      #"""
      // GUARD: g
      guard a, b else { return }
      """#, #"another condition stands behind it on its line"#),
    Sample(
      "met",
      #"""
      return a
        && b || c  // GUARD: g
      """#, #"a condition with || beside && needs brackets"#),
    Sample(
      #"becomes("0")"#,
      #"""
      // GUARD: g
      guard a else { return }
      """#, #"a statement has no value"#),
    Sample(
      #"becomes("0")"#,
      #"""
      // GUARD: g
      a.b(c), d
      """#, #"another value stands behind it on its line"#),
    Sample(
      #"becomes("0")"#,
      #"""
      // GUARD: g
      a[0] = 1
      """#, #"what is assigned to has no name"#),
    Sample(
      "skipped",
      #"""
      // GUARD: g
      let a = 1
      """#, #"what a let begins is more than a statement"#),
    Sample(
      "skipped",
      #"""
      f(
        // GUARD: g
        a)
      """#, #"no statement begins here"#),
    Sample(
      "met",
      #"""
      // GUARD: g
      guard f(a else {
      """#, #"a bracket is not closed"#),
    Sample(#"before("f()")"#, #""SELECT /* GUARD: g */ 1""#, #"in SQL nothing is done before"#),
    Sample(
      #"instead("x")"#,
      ##"""
      """
      /* GUARD: g */ a
        b
      """
      """##, #"a clause stands on one line and has no quotation marks"#),
    Sample("met", #""SELECT /* GUARD: g */, 1""#, #"nothing of SQL stands behind it"#),
    Sample(
      "met",
      #"""
      //GUARD: g
      guard a else { return }
      """#, #"a marker of no known form"#),
  ]
}
