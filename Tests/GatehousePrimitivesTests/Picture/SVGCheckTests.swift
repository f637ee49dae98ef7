import GatehouseTesting
import Testing

@testable import GatehousePrimitives

@Suite("What is taken as an SVG") struct SVGCheckTests {
  static let begin = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">"#

  static func drawing(_ inside: String) -> [UInt8] { Array("\(begin)\(inside)</svg>".utf8) }

  static func problem(_ text: some StringProtocol) -> PictureProblem? { problem(Array(text.utf8)) }

  static func problem(_ bytes: [UInt8]) -> PictureProblem? {
    do throws(PictureProblem) {
      _ = try PictureCheck.kind(of: bytes)
      return nil
    } catch { return error }
  }

  /// Drawings as programs write them.
  static let taken = [
    ##"<path d="M4 4h24v24H4z" fill="#512888"/>"##, "<title>messAI</title><desc>two bubbles</desc>",
    "<!-- drawn by hand --><g><circle cx=\"16\" cy=\"16\" r=\"9\"/></g>",
    ##"<linearGradient id="g"><stop offset="0" stop-color="#fff"/></linearGradient><rect fill="url(#g)" width="9"/>"##,
    "<style>.a{fill:url(#g)} @media (prefers-color-scheme: dark) {.a{fill:#fff}}</style><linearGradient id=\"g\"/>",
    "<style><![CDATA[ path > * { fill: red } ]]></style>", #"<g style="fill: url( '#x' ); stroke: none"/>"#,
    ##"<defs><path id="p" d="M0 0"/></defs><mask id="m"><use href="#p"/></mask><g mask="url(#m)"/>"##,
    #"<filter id="f"><feGaussianBlur stdDeviation="2"/></filter><g filter="url(#f)"/>"#,
    "<text x='1'>A &amp; B &#65; &#x41; ñ</text>", #"<g class="on @" data-name="a@b" aria-label="x@y"/>"#,
  ]

  @Test("shapes, text, gradients, masks and style sheets are", arguments: taken)
  func good(_ inside: String) throws {
    #expect(try PictureCheck.kind(of: Self.drawing(inside)) == .svg)
  }

  @Test("a declaration, a byte-order mark, prefixes that are declared and a line at the end are no matter")
  func frame() throws {
    let text = """
      \u{FEFF}<?xml version="1.0" encoding="UTF-8" standalone="no"?>
      <!-- by a program -->
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:i="http://i.example/"
        viewBox="0,0 32 32" i:version="1"><path id="p" d="M0 0"/><use xlink:href="#p"/></svg>

      """
    #expect(try PictureCheck.kind(of: Array(text.utf8)) == .svg)
  }

  /// What is refused inside a drawing, and a word of the reason.
  static let refused: [(inside: String, word: String)] = [
    ("<script>alert(1)</script>", "<script>"), ("<foreignObject/>", "<foreignObject>"), ("<iframe/>", "<iframe>"),
    (#"<a href="https://evil.example"><path/></a>"#, "<a>"), ("<animate attributeName=\"x\"/>", "<animate>"),
    ("<animateTransform/>", "<animateTransform>"), ("<set/>", "<set>"), ("<image href=\"#a\"/>", "<image>"),
    ("<feImage href=\"#a\"/>", "<feImage>"), ("<handler/>", "<handler>"), ("<SCRIPT/>", "<SCRIPT>"),
    (#"<x:script xmlns:x="http://www.w3.org/2000/svg"/>"#, "<x:script>"),
    (#"<g xmlns="http://www.w3.org/1999/xhtml"/>"#, "another language"), ("<g onload=\"x()\"/>", "onload"),
    ("<g ONCLICK=\"x()\"/>", "ONCLICK"), (#"<use href="https://evil.example/#a"/>"#, "href"),
    (#"<use href="&#104;ttps://evil.example/#a"/>"#, "href"), (#"<use href="data:image/svg+xml,x#a"/>"#, "href"),
    (#"<use href="javascript:x()"/>"#, "href"), (#"<use href=" #a"/>"#, "href"), (##"<use href="#a%62"/>"##, "href"),
    (#"<g xml:base="https://evil.example/"/>"#, "xml:base"), (#"<g i:label="x"/>"#, "prefix"),
    (#"<g xmlns:i="x"/>"#, "xmlns:i"), (#"<rect fill="url(https://evil.example/a#b)"/>"#, "url"),
    (#"<rect fill="URL(//evil.example)"/>"#, "url"),
    (#"<rect style="fill:url(&quot;https://e.example&quot;)"/>"#, "url"),
    (#"<rect fill="url(#a"/>"#, "url"), (#"<rect fill="\75rl(https://evil.example)"/>"#, "backslash"),
    (#"<rect style="mask:image-set('https://evil.example/a.png' 1x)"/>"#, "image"),
    ("<style>@import 'https://evil.example/a.css';</style>", "@media"),
    ("<style><![CDATA[@import 'x';]]></style>", "@media"), ("<style>@im<!-- -->port 'x';</style>", "@media"),
    ("<style>&#64;import 'x';</style>", "@media"), ("<style>@font-face{src:local(x)}</style>", "@media"),
    ("<style>@keyframes a{}</style>", "@media"), ("<style>.a{mask:url(#m)}</style><mask id=\"m\"/>", "gradients"),
    ("<?xml-stylesheet href='x'?>", "processing instruction"), ("<!ENTITY a 'b'>", "document type"),
    ("&lol;", "&amp;"), ("&#0;", "&amp;"), ("&#xFFFF;", "&amp;"), ("<g><path></g>", "begin"), ("</svg><svg>", "second"),
    ("<g a='1' a='2'/>", "twice"), ("<g a=1/>", "quotation"), ("<g a/>", "no value"), ("<g a='1'b='2'/>", "blank"),
    ("<g a='<'/>", "<"), ("]]>", "]]>"), ("<!-- a -- b -->", "comment"), ("<g ", "name"), ("<![CDATA[", "section"),
  ]

  @Test("T170 what runs, fetches, moves or is no XML is not, and the reason names it", arguments: refused)
  func bad(_ inside: String, _ word: String) throws {
    let problem = try #require(Self.problem(Self.drawing(inside)))
    #expect(problem.reason.contains(word), "\(problem)")
    #expect(problem.place != nil && !problem.advice.isEmpty)
  }

  static let frames: [(text: String, word: String)] = [
    ("<svg viewBox='0 0 1 1'/>", "xmlns"), ("<svg xmlns='http://www.w3.org/2000/svg'/>", "viewBox"),
    ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 0 1'/>", "viewBox"),
    ("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 nan'/>", "viewBox"),
    ("<html/>", "root"), ("<!-- nothing -->", "no element"), (begin, "does not end"),
    ("<!DOCTYPE svg>\(begin)</svg>", "document type"), ("\(begin)</svg>more", "outside"),
    ("\(begin)</svg>\(begin)</svg>", "second"), ("<?xml version='1.1'?>\(begin)</svg>", "declaration"),
    ("<?xml version='1.0' encoding='utf-7'?>\(begin)</svg>", "declaration"),
    (" <?xml version='1.0'?>\(begin)</svg>", "processing"), ("\(begin)\u{1}</svg>", "control"),
    ("\(begin)\u{FFFE}</svg>", "control"),
  ]

  @Test("what is around the drawing counts as well", arguments: frames)
  func around(_ text: String, _ word: String) throws {
    let problem = try #require(Self.problem(text))
    #expect(problem.reason.contains(word), "\(problem)")
  }

  @Test("bytes that are not UTF-8 are no SVG")
  func encoding() {
    #expect(Self.problem(Self.drawing("é").map { $0 == 0xC3 ? 0xFF : $0 })?.reason.contains("UTF-8") == true)
  }

  @Test("a problem says its line and column")
  func place() {
    let problem = Self.problem("\(Self.begin)\n  <path/>\n  <script/>\n</svg>")
    #expect(problem?.description == "line 3, column 3: the element <script> is not allowed")
    #expect(problem?.advice == "remove it: a logo runs no code")
  }

  @Test("32 elements stand inside one another, and no more")
  func depth() {
    func nested(_ count: Int) -> String {
      String(repeating: "<g>", count: count) + String(repeating: "</g>", count: count)
    }
    #expect(Self.problem(Self.drawing(nested(31))) == nil)
    #expect(Self.problem(Self.drawing(nested(32)))?.reason.contains("inside one another") == true)
  }

  @Test("64 attributes stand in an element, and no more")
  func attributes() {
    func many(_ count: Int) -> String { "<g \((0..<count).map { "a\($0)='1'" }.joined(separator: " "))/>" }
    #expect(Self.problem(Self.drawing(many(64))) == nil)
    #expect(Self.problem(Self.drawing(many(65)))?.reason.contains("64") == true)
  }

  /// Each of `levels` groups uses the one before so many times.
  private static func tower(_ levels: Int, uses: Int, by part: (Int) -> String = { "<use href='#a\($0)'/>" }) -> String
  {
    "<g id='a0'><path/></g>"
      + (1...levels).map { "<g id='a\($0)'>\(String(repeating: part($0 - 1), count: uses))</g>" }.joined()
  }

  @Test("T170 parts that use one another draw ten thousand elements, and no more")
  func bomb() {
    #expect(Self.problem(Self.drawing(Self.tower(2, uses: 10))) == nil)
    for drawing in [
      Self.tower(6, uses: 10), Self.tower(13, uses: 2),
      Self.tower(6, uses: 10) { "<path mask='url(#a\($0))'/>" },
      Self.tower(6, uses: 10) { "<path style='fill:url(#a\($0))'/>" },
    ] {
      #expect(Self.problem(Self.drawing(drawing))?.reason.contains("use one another") == true)
    }
  }

  private static let long = "M0 0" + String(repeating: "l1 2", count: 4000)
  private static let blur = "<filter id='f'><feGaussianBlur stdDeviation='3'/></filter>"

  /// Drawings that a browser takes seconds or minutes for, and a word of the reason.
  static let monsters: [(inside: String, word: String)] = [
    ("<path id='a' d='\(long)'/>" + String(repeating: "<use href='#a'/>", count: 60), "too much"),
    ("<polygon id='a' points='\(long)'/>" + String(repeating: "<use href='#a'/>", count: 60), "too much"),
    ("<text id='a'>\(long)</text>" + String(repeating: "<use href='#a'/>", count: 60), "too much"),
    (blur + String(repeating: "<g filter='url(#f)'/>", count: 20), "too much"),
    ("<filter id='f'>" + String(repeating: "<feDropShadow/>", count: 20) + "</filter>", "too much"),
    (
      blur + "<g id='a0'><path filter='url(#f)'/></g><g id='a1'>" + String(repeating: "<use href='#a0'/>", count: 20)
        + "</g>", "too much"
    ),
    ("<filter><feGaussianBlur stdDeviation='33'/></filter>", "stdDeviation"),
    ("<filter><feGaussianBlur stdDeviation='1,1e9'/></filter>", "stdDeviation"),
    ("<filter><feDropShadow stdDeviation='inf'/></filter>", "stdDeviation"),
    ("<filter x='-5000%'/>", "400%"), ("<filter width='9'/>", "4 is allowed"), ("<filter height='1e3px'/>", "height"),
    ("<filter filterUnits='userSpaceOnUse' width='900'/>", "viewBox"),
    ("<pattern id='p' width='.001' height='.001'><path/></pattern>", "<pattern>"),
    ("<path stroke-dasharray='.001'/>", "dashes"), ("<path style='stroke-dasharray : 1e-9'/>", "dashes"),
    ("<style>path{STROKE-DASHARRAY:.01}</style>", "dashes"), ("<style>*{filter:blur(9px)}</style>", "blur("),
    ("<g style='filter: drop-shadow(0 0 9px red)'/>", "drop-shadow("),
  ]

  @Test(
    "T209 a drawing that a browser takes long for is refused, and the reason says what is allowed", arguments: monsters)
  func monster(_ inside: String, _ word: String) throws {
    let problem = try #require(Self.problem(Self.drawing(inside)))
    #expect(problem.reason.contains(word) && problem.reason.contains("allowed"), "\(problem)")
    #expect(problem.place != nil && !problem.advice.isEmpty)
  }

  /// What programs export, with shadows and long outlines.
  static let exported = [
    "<path id='a' d='\(long)'/><use href='#a'/>", blur + String(repeating: "<g filter='url(#f)'/>", count: 8),
    "<path stroke-dasharray='none' style='stroke-dasharray:none;fill:red'/>",
    "<filter id='s' x='-10%' y='-10%' width='120%' height='140%' filterUnits='objectBoundingBox'><feFlood/>"
      + "<feColorMatrix in='SourceAlpha' values='0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 127 0'/><feOffset dy='4'/>"
      + "<feGaussianBlur stdDeviation='2'/><feBlend mode='normal'/></filter><g filter='url(#s)'><path/></g>",
    "<filter id='s' x='0' y='0' width='40' height='44' filterUnits='userSpaceOnUse'><feDropShadow/></filter>",
  ]

  @Test("T209 shadows, long outlines and the defaults that programs write are taken", arguments: exported)
  func notMonster(_ inside: String) { #expect(Self.problem(Self.drawing(inside)) == nil) }

  @Test("references stand behind one another a few times, and no more")
  func chain() {
    func chain(_ length: Int) -> String {
      (0..<length).map { "<g id='a\($0)'><use href='#a\($0 + 1)'/></g>" }.joined()
    }
    #expect(Self.problem(Self.drawing(chain(10))) == nil)
    #expect(Self.problem(Self.drawing(chain(40)))?.reason.contains("use one another") == true)
  }

  @Test("a part does not use itself, whatever stands between")
  func circle() {
    for drawing in [
      "<g id='a'><use href='#a'/></g>", "<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>",
      "<mask id='m'><path mask='url(#m)'/></mask>", "<linearGradient id='g' href='#g'/>",
    ] {
      #expect(Self.problem(Self.drawing(drawing))?.reason.contains("use one another") == true, "\(drawing)")
    }
  }
}
