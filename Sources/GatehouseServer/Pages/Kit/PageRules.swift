/// The rules of the style sheet, the same for all themes. Sizes are multiples of 4 px (.25rem) that grow with the
/// reader's text: four styles of type (1.75, 1.125, 1 and .875), gaps of 8, 16 and 24 px, corners of 8, 12 and 16 px,
/// and 44 px (2.75rem) for everything that is pressed.
enum PageRules {
  static let all = HTML([ground, text, fields, passwords, checks, code, factors, buttons, lists, states, motion])

  /// The rules that a body with these elements needs. A page with its style fits into the first packets of a connection
  /// (14 KB), so that the rules of rarer elements stand on the pages that have these.
  static func needed(by body: HTML) -> HTML {
    func rules(_ rules: HTML, of marks: [String]) -> HTML { marks.contains { body.text.contains($0) } ? rules : "" }
    return HTML([
      ground, text, fields, rules(passwords, of: passwordMarks), rules(checks, of: checkMarks),
      rules(code, of: codeMarks), rules(factors, of: factorMarks), buttons, rules(lists, of: listMarks), states,
      motion,
    ])
  }

  private static let passwordMarks = [
    "class=\"box", "class=\"beside", "class=\"toggle", "class=\"caps", "class=\"met", "class=\"unmet",
    "class=\"strength",
    "class=\"kept", "class=\"slash",
  ]
  private static let checkMarks = ["class=\"field check", "class=\"check"]
  private static let codeMarks = ["class=\"code"]
  private static let factorMarks = ["class=\"spelled", "class=\"qr", "class=\"key", "class=\"spare"]
  private static let listMarks = [
    "<dl", "<summary", "class=\"menu", "class=\"scopes", "class=\"icon", "class=\"empty", "class=\"initial",
    "class=\"me",
  ]

  private static let ground: HTML = """
    *,::before,::after{box-sizing:border-box}
    [hidden]{display:none !important}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;padding:5rem 1rem 2rem;font:1rem/1.5 var(--font);background:var(--behind) var(--picture,none) center/cover fixed;color:var(--text);overflow-wrap:anywhere}
    main{width:100%;max-width:28rem;padding:2rem;background:var(--surface);border-radius:calc(2*var(--r));box-shadow:0 1px 2px rgba(0,0,0,.08),0 8px 24px rgba(0,0,0,.06)}
    .app{display:flex;align-items:center;gap:.75rem;margin:0 0 1.5rem;font-weight:600}
    .langs{display:flex;flex-wrap:wrap;justify-content:flex-end;gap:1rem .75rem;margin-inline-start:auto}
    .app [hreflang],.app [name=lang]{display:inline-flex;align-items:center;width:auto;min-height:2.75rem;margin-block:-.5rem;padding:.5rem 0;background:none;border:0;color:var(--link);font-size:.875rem;font-weight:400;text-decoration:underline;text-underline-offset:.125em}
    .center{justify-content:center}
    .center~h1{text-align:center}
    .center~.sign{margin-inline:auto}
    .logo{flex:none;width:var(--logo);height:var(--logo);object-fit:contain}
    .word{width:auto;max-width:100%}
    picture,.plate{display:contents}
    @media (prefers-color-scheme:dark){.plate>.logo{padding:.25rem;border-radius:calc(var(--r)/2);background:#fff}}
    .mark{flex:none;width:var(--logo);height:var(--logo);border-radius:var(--r);line-height:var(--logo);text-align:center;background:var(--button);color:var(--label)}
    footer{width:100%;max-width:28rem;padding:.5rem 2rem 0;font-size:.875rem;line-height:1.25rem;text-align:center;color:var(--foot)}
    footer p{margin:0}
    footer a{display:inline-block;min-height:2.75rem;padding:.75rem 0;color:inherit}
    """

  private static let text: HTML = """
    h1,h2{text-wrap:balance}
    h1{margin:0 0 .5rem;font-size:1.75rem;line-height:2.125rem;letter-spacing:-.01em}
    h2{margin:2rem 0 .5rem;font-size:1.125rem;line-height:1.5rem}
    p{margin:0 0 1rem}
    form+p,form+dl{margin-top:1.5rem}
    a{color:var(--link);text-underline-offset:.125em}
    .notice{padding:.5rem 1rem;border-inline-start:4px solid var(--link);border-radius:calc(var(--r)/2);background:var(--ground)}
    .trouble,.offline{margin:0 0 1.5rem;padding:.5rem 1rem;border-inline-start:4px solid var(--error);border-radius:calc(var(--r)/2);background:var(--trouble-ground);color:var(--trouble-text)}
    .trouble h2{margin:0;font-size:1rem}
    .trouble a,.trouble .wait{display:block;padding:.25rem 0;color:inherit}
    .trouble ul{margin:0;padding-inline-start:1.25rem}
    .offline{margin:1rem 0 0}
    .offline p{margin:0}
    .offline button{margin:.5rem 0}
    .question{margin:1.5rem 0 0}
    .question a,.beside{display:inline-flex;align-items:center;min-height:2.75rem}
    .question a{margin:-.75rem 0}
    .question+.question{margin-top:1rem}
    p.wait,.aside{margin:1rem 0 0;font-size:.875rem;line-height:1.25rem;color:var(--muted)}
    .or{display:flex;align-items:center;gap:.5rem;margin:1.5rem 0 0;color:var(--muted)}
    .or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
    .sign{display:block;width:3rem;height:3rem;margin:0 0 1rem;padding:.75rem;border-radius:50%;background:var(--button);fill:none;stroke:var(--label);stroke-width:3;stroke-linecap:round;stroke-linejoin:round}
    .login,.first,.told{position:absolute;width:1px;height:1px;min-height:0;margin:0;padding:0;border:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
    """

  private static let fields: HTML = """
    .field{margin:1rem 0 0}
    label{display:block;margin:0 0 .5rem;font-size:.875rem;line-height:1.25rem;font-weight:500}
    input,select,textarea{display:block;width:100%;min-height:2.75rem;padding:.5rem .75rem;font:inherit;border:1px solid var(--line);border-radius:var(--r);background:var(--surface);color:var(--text)}
    input[aria-invalid],select[aria-invalid],textarea[aria-invalid]{border:2px solid var(--error)}
    .hint,.error,.caps{margin:.5rem 0 0;font-size:.875rem;line-height:1.25rem;color:var(--muted)}
    .hint p{margin:.5rem 0 0}
    .error{font-weight:600;color:var(--error)}
    """

  private static let passwords: HTML = """
    .box{position:relative}
    .box input{padding-right:3rem}
    .toggle svg{width:1.25rem;height:1.25rem;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
    .toggle:not([value="0"]) .slash{display:none}
    .field:has(.beside){display:grid;grid-template-columns:1fr auto}
    .field:has(.beside)>:not(label,.beside){grid-column:1/-1}
    .beside{grid-area:1/2;align-items:flex-end;margin:-1.25rem 0 0;padding-bottom:.5rem;font-size:.875rem;line-height:1.25rem}
    .caps:empty{margin:0}
    .hint ul{margin:0;padding-inline-start:1.25rem}
    li.met{list-style-type:"✓ "}
    li.unmet{list-style-type:"○ "}
    .met{color:var(--text)}
    .field:has([aria-invalid]) .unmet{color:var(--error)}
    .strength{margin:0;color:var(--text)}
    .hint .kept{min-height:1.25rem;margin-top:0}
    .box .toggle{position:absolute;top:0;inset-inline-end:0;width:2.75rem;margin:0;padding:0;background:none;border:0;color:var(--muted)}
    """

  private static let checks: HTML = """
    .check{display:grid;grid-template-columns:1.5rem 1fr;column-gap:.5rem;align-items:center}
    .check .error,.check .hint{grid-column:1/-1}
    .check input{width:1.5rem;min-height:1.5rem;height:1.5rem;margin:0;padding:0;accent-color:var(--button)}
    .check label{margin:0;padding:.75rem 0;font-size:1rem;font-weight:400}
    """

  private static let code: HTML = """
    input.code{--cell:calc(1ch + 1.5rem);width:calc(6*var(--cell) + .75rem);max-width:100%;min-height:3.5rem;padding:0 0 0 .5rem;font:1.5rem/2rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;letter-spacing:1.5rem;background:repeating-linear-gradient(90deg,var(--line) 0 calc(var(--cell) - .5rem),transparent 0 var(--cell)) 0 100%/calc(6*var(--cell)) 2px no-repeat,repeating-linear-gradient(90deg,var(--ground) 0 calc(var(--cell) - .5rem),transparent 0 var(--cell)) 0 0/calc(6*var(--cell)) 100% no-repeat}
    input.code:not([aria-invalid]){border-color:transparent}
    @media (max-width:16rem){input.code{width:100%;letter-spacing:.25rem;background:var(--surface)}input.code:not([aria-invalid]){border-color:var(--line)}}
    """

  private static let factors: HTML = """
    .spelled,.key,.spare{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    .spelled{text-transform:uppercase}
    .qr{display:block;width:100%;max-width:14rem;height:auto;margin:0 0 .5rem}
    .spare{margin:0 0 1rem;padding:1rem;padding-inline-start:2.75rem;border-radius:var(--r);background:var(--ground);font-size:.875rem;line-height:2rem}
    @media print{form,footer{display:none}}
    """

  private static let buttons: HTML = """
    button,.button{position:relative;display:flex;align-items:center;justify-content:center;width:100%;min-height:2.75rem;margin:1.5rem 0 0;padding:.5rem 1rem;font:inherit;font-weight:600;text-align:center;text-decoration:none;border:1px solid transparent;border-radius:var(--r);background:var(--button);color:var(--label);cursor:pointer}
    .secondary>[type=submit],.danger>[type=submit]{margin-top:1rem;background:none;border-color:var(--line);color:var(--text)}
    .danger>[type=submit]{border-color:var(--error);color:var(--error)}
    .plain>[type=submit]{width:auto;margin:0;padding:.5rem 0;text-align:start;background:none;border:0;color:var(--link);font-weight:400;text-decoration:underline;text-underline-offset:.125em}
    [type=submit]>img{flex:none;width:1.25rem;height:1.25rem;margin-inline-end:.75rem;object-fit:contain}
    .plain{margin:1rem 0 0}
    .ways{margin:1rem 0 0;padding:0;list-style:none}
    .ways a{display:inline-flex;align-items:center;min-height:2.75rem;padding:.5rem 0}
    .plain+.plain,.ways+.ways,.ways+.plain,.plain+.ways{margin:0}
    .plain[hidden]+.ways,.plain[hidden]+.plain{margin-top:.5rem}
    @media (hover:hover){button:hover,.button:hover{box-shadow:inset 0 0 0 2px var(--label)}.secondary>[type=submit]:hover,.danger>[type=submit]:hover{box-shadow:inset 0 0 0 1px}.plain>[type=submit]:hover,.app [name=lang]:hover{box-shadow:none;text-decoration-thickness:2px}.box .toggle:hover{box-shadow:none;color:var(--text)}.menu a:hover{text-decoration:underline}}
    [aria-busy=true]{padding-inline:2.5rem;cursor:progress}
    [aria-busy=true]::after{content:"";position:absolute;inset-inline-end:1rem;width:1rem;height:1rem;border:2px solid;border-right-color:transparent;border-radius:50%;animation:turn 1s linear infinite}
    .plain>[aria-busy=true]::after{inset-inline-end:-1.5rem}
    @keyframes turn{to{transform:rotate(1turn)}}
    """

  private static let lists: HTML = """
    .menu{margin:1rem 0 0;padding:0;list-style:none}
    .menu a{display:flex;align-items:center;justify-content:space-between;gap:1rem;min-height:2.75rem;padding:.5rem 0;color:var(--text);text-decoration:none}
    .menu li:not(:last-child) a{border-bottom:1px solid color-mix(in srgb,var(--line) 40%,transparent)}
    .menu a::after{content:"";flex:none;width:.5rem;height:.5rem;margin-inline-end:.25rem;border:solid var(--muted);border-width:2px 2px 0 0;transform:rotate(45deg)}
    .menu.danger a{color:var(--error)}
    .scopes{margin:0 0 1rem;padding-inline-start:1.25rem}
    summary{min-height:2.75rem;padding:.5rem 0;line-height:1.75rem;cursor:pointer}
    dl{margin:0 0 1rem;padding:.5rem 1rem;border-radius:var(--r);background:var(--ground)}
    dt{font-size:.875rem;line-height:1.25rem;color:var(--muted)}
    dd{margin:0 0 .5rem}
    .icon{flex:none;width:1.5rem;height:1.5rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
    .empty{display:flex;flex-direction:column;align-items:center;gap:.5rem;padding:1.5rem 1rem;text-align:center;color:var(--muted)}
    .empty .icon{width:2.5rem;height:2.5rem}
    time{white-space:nowrap}
    h2:has(.icon),.me{display:flex;align-items:center;gap:.75rem}
    .initial{flex:none;width:2.75rem;height:2.75rem;border-radius:50%;line-height:2.75rem;text-align:center;font-weight:600;background:var(--button);color:var(--label)}
    dd+dd{margin-top:-.5rem;font-size:.875rem;line-height:1.25rem;color:var(--muted)}
    """

  private static let states: HTML = """
    :focus-visible{outline:3px solid var(--text);outline-offset:2px}
    .trouble:focus{outline:2px solid var(--error);outline-offset:-2px}
    @media (max-width:30rem){body{padding:0;background:var(--surface)}main{padding:1.5rem 1.25rem 1rem;border-radius:0;box-shadow:none}footer{padding:.5rem 1.25rem 1.5rem;text-align:start;color:var(--muted)}}
    @media (prefers-reduced-motion:reduce){*,::before,::after{animation:none !important;transition:none !important}}
    @media (forced-colors:active){button,.button,.trouble,.notice,dl{border:1px solid}.toggle,.app [name=lang],.plain>[type=submit]{border:0}.sign{stroke:CanvasText}}
    """

  /// A page fades into the next one, for readers who do not ask for less motion. Clicks reach the page meanwhile.
  private static let motion: HTML = """
    @media (prefers-reduced-motion:no-preference){@view-transition{navigation:auto}::view-transition{pointer-events:none}::view-transition-group(*),::view-transition-old(*),::view-transition-new(*){animation-duration:.16s}}
    """

  /// Of pages whose lines run from right to left. An address, a number or a password runs from left to right at the
  /// right side of its field, and a line of another language in its own order.
  static let mirrored: HTML = """

    body{text-align:right}
    h1{letter-spacing:0}
    h1,h2,p,li,dt,dd,label,.hint,.app>span{unicode-bidi:plaintext}
    input[dir=ltr]:not(.code){text-align:right}
    input.code{margin-inline-start:-1.25rem}
    .box input{padding-right:.75rem;padding-left:3rem}
    .menu a::after{transform:rotate(-135deg)}
    """

  /// The foot of a page over a picture, of which nothing is known: it has the surface of the card.
  static let abovePicture: HTML = """

    @media (min-width:30.01rem){footer{margin-top:1rem;padding-bottom:.5rem;border-radius:calc(2*var(--r));background:var(--surface);color:var(--muted)}}
    """
}
