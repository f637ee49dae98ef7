/// The frame around the pages of development: the looks of all pages, without a tenant, and wider.
enum DevelopmentFrame {
  /// - Parameters:
  ///   - colours: rules of the style sheet that this page alone has.
  ///   - framesOwn: whether frames in it show documents of this server.
  static func answer(_ title: String, colours: HTML = "", framesOwn: Bool = false, _ content: HTML) -> Answer {
    PageFrame(
      brand: Brand(name: "Gatehouse", style: PageStyle()), words: .english, root: "", rules: HTML([rules, colours]),
      note: """
        The server shows this page because it runs with <code>--dev</code>, and only to browsers on this machine.
        """, framesOwn: framesOwn
    ).document(title, content, targets: nil)
  }

  /// Lengths are multiples of 4 px, and sizes of text those of `PageRules`.
  private static let rules: HTML = """
    main,footer{max-width:48rem}
    .app,.mark{font-weight:600}
    code,pre,.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    code,pre{font-size:.875rem}
    pre{margin:0;padding:.75rem 1rem;border-radius:.5rem;background:var(--ground);line-height:1.25rem;white-space:pre-wrap}
    .list{list-style:none;margin:1.5rem 0 0;padding:0}
    .list>li,.next{padding:1.25rem 0;border-top:1px solid color-mix(in srgb,var(--line) 40%,transparent)}
    .list:last-child>li:last-child{padding-bottom:0}
    .list h2{margin:0}
    .list p,.trouble p{margin:.25rem 0 0}
    .soft{color:var(--muted);font-size:.875rem}
    .tenant{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.5rem}
    .who{display:flex;flex:1 1 14rem;align-items:center;gap:1rem;min-width:0}
    .who .mark,.who .logo{width:2.5rem;height:2.5rem;line-height:2.5rem}
    .acts{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem}
    .acts a{display:inline-flex;align-items:center;min-height:2.75rem}
    .acts .button{width:auto;margin:0;padding:0 .75rem}
    .parts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:1rem}
    .parts iframe{width:100%;min-height:32rem;border:1px solid var(--line);border-radius:var(--r);background:#fff}
    .next{padding-bottom:0}
    .next p:last-child{margin:0}
    pre+.next{margin-top:1.5rem}
    .code{font-size:1.5rem;font-weight:600;line-height:2rem;letter-spacing:.25rem;user-select:all}
    summary{color:var(--link)}
    """
}
