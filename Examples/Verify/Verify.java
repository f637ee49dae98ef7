import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Verifies access tokens of one Gatehouse tenant with the standard library of Java 17 or newer. */
public final class Verify {
  private static final String ISSUER = System.getenv("ISSUER");
  private static final String AUDIENCE = System.getenv("AUDIENCE");
  /** Seconds by which two clocks may differ. */
  private static final long LEEWAY = 30;
  /** The least number of seconds between two fetches of the key set. */
  private static final long PAUSE = 10;
  /** Seconds for which an outdated key set serves while no other can be fetched. */
  private static final long KEPT = 3600;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}");

  /** Answer 401, or 403 where the message is "access". */
  public static final class Refused extends Exception {
    Refused(String reason) { super(reason); }
  }

  /** Answer 503. */
  public static final class Unavailable extends Exception {
    Unavailable(Exception cause) { super("no key set", cause); }
  }

  /** The claims of a good token. A token with limited access is refused unless {@code limited} allows it. */
  public static Map<?, ?> verify(String token, boolean limited) throws Refused, Unavailable {
    if (token.length() > 8192 || !FORM.matcher(token).matches()) throw new Refused("form");
    String[] parts = token.split("\\.");
    Map<?, ?> header = parse(parts[0]);
    if (!"ES256".equals(header.get("alg")) || !"at+jwt".equals(header.get("typ")) || header.containsKey("crit")) {
      throw new Refused("header");
    }
    if (!isSigned(parts, KEYS.key(header.get("kid")))) throw new Refused("signature");
    Map<?, ?> claims = parse(parts[1]);
    if (!ISSUER.equals(claims.get("iss"))) throw new Refused("issuer");
    if (!AUDIENCE.equals(claims.get("aud"))) throw new Refused("audience");
    double expiry = claims.get("exp") instanceof Double seconds ? seconds : 0;
    if (System.currentTimeMillis() / 1000.0 >= expiry + LEEWAY) throw new Refused("expired");
    if (!"full".equals(claims.get("access")) && !limited) throw new Refused("access");
    return claims;
  }

  private static boolean isSigned(String[] parts, PublicKey key) {
    try {
      Signature signature = Signature.getInstance("SHA256withECDSAinP1363Format");
      signature.initVerify(key);
      signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
      return signature.verify(decode(parts[2]));
    } catch (GeneralSecurityException | IllegalArgumentException error) {
      return false;
    }
  }

  private static byte[] decode(String part) { return Base64.getUrlDecoder().decode(part); }

  private static Map<?, ?> parse(String part) throws Refused {
    try {
      if (Json.read(new String(decode(part), StandardCharsets.UTF_8)) instanceof Map<?, ?> object) return object;
    } catch (IllegalArgumentException error) {
      // Not base64url, or no JSON.
    }
    throw new Refused("form");
  }

  private static final KeySet KEYS = new KeySet();

  /** The tenant's public keys, fetched when they are needed. */
  private static final class KeySet {
    private static final Pattern MAX_AGE = Pattern.compile("max-age=(\\d{1,9})");
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();
    private Map<String, PublicKey> keys = Map.of();
    private Exception failure;
    private long freshUntil = -KEPT - 1, asked = -PAUSE;
    private final long start = System.nanoTime();

    private long now() { return (System.nanoTime() - start) / 1_000_000_000; }

    synchronized PublicKey key(Object kid) throws Refused, Unavailable {
      boolean isKnown = kid instanceof String && keys.containsKey(kid);
      if ((now() >= freshUntil || !isKnown) && now() >= asked + PAUSE) {
        asked = now();
        try {
          fetch();
        } catch (InterruptedException error) {
          Thread.currentThread().interrupt();
          failure = error;
        } catch (IOException | GeneralSecurityException | RuntimeException error) {
          failure = error;
        }
      }
      if (now() >= freshUntil + KEPT) throw new Unavailable(failure);
      PublicKey key = kid instanceof String ? keys.get(kid) : null;
      if (key == null) throw new Refused("key");
      return key;
    }

    private void fetch() throws IOException, InterruptedException, GeneralSecurityException {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(ISSUER + "/.well-known/jwks.json")).timeout(Duration.ofSeconds(3)).build();
      HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) throw new IOException("the key set was answered with " + answer.statusCode());
      Map<String, PublicKey> found = new HashMap<>();
      for (Object entry : (List<?>) ((Map<?, ?>) Json.read(answer.body())).get("keys")) {
        Map<?, ?> key = (Map<?, ?>) entry;
        if ("P-256".equals(key.get("crv")) && "ES256".equals(key.get("alg"))) {
          found.put((String) key.get("kid"), publicKey((String) key.get("x"), (String) key.get("y")));
        }
      }
      var age = MAX_AGE.matcher(answer.headers().firstValue("Cache-Control").orElse(""));
      keys = found;
      freshUntil = now() + Math.min(age.find() ? Long.parseLong(age.group(1)) : 300, KEPT);
    }

    private static PublicKey publicKey(String x, String y) throws GeneralSecurityException {
      AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
      curve.init(new ECGenParameterSpec("secp256r1"));
      ECPoint point = new ECPoint(new BigInteger(1, decode(x)), new BigInteger(1, decode(y)));
      return KeyFactory.getInstance("EC")
          .generatePublic(new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class)));
    }
  }

  /** Reads JSON, which Java's standard library does not. A backend uses the reader that it has. */
  private static final class Json {
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?([eE][+-]?\\d+)?");
    private final String text;
    private int at;

    private Json(String text) { this.text = text; }

    static Object read(String text) {
      Json json = new Json(text);
      Object value = json.value(16);
      if (json.peek() != 0) throw new IllegalArgumentException("more than one value");
      return value;
    }

    private Object value(int depth) {
      if (depth == 0) throw new IllegalArgumentException("too deep");
      switch (peek()) {
        case '{': {
          Map<String, Object> object = new HashMap<>();
          at++;
          if (skip('}')) return object;
          do {
            if (peek() != '"') throw new IllegalArgumentException("no name");
            String name = string();
            expect(':');
            if (object.put(name, value(depth - 1)) != null) throw new IllegalArgumentException("a name given twice");
          } while (skip(','));
          expect('}');
          return object;
        }
        case '[': {
          List<Object> array = new ArrayList<>();
          at++;
          if (skip(']')) return array;
          do array.add(value(depth - 1)); while (skip(','));
          expect(']');
          return array;
        }
        case '"': return string();
        case 't': return word("true", true);
        case 'f': return word("false", false);
        case 'n': return word("null", "null");
        default: {
          var number = NUMBER.matcher(text).region(at, text.length());
          if (!number.lookingAt()) throw new IllegalArgumentException("no value");
          at = number.end();
          return Double.valueOf(number.group());
        }
      }
    }

    private String string() {
      StringBuilder string = new StringBuilder();
      for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
        char next = text.charAt(at);
        if (next == '\\' && ++at < text.length()) {
          switch (text.charAt(at)) {
            case 'b': next = '\b'; break;
            case 'f': next = '\f'; break;
            case 'n': next = '\n'; break;
            case 'r': next = '\r'; break;
            case 't': next = '\t'; break;
            case 'u':
              if (at + 4 >= text.length()) throw new IllegalArgumentException("an end within a text");
              next = (char) Integer.parseInt(text, at + 1, at + 5, 16);
              at += 4;
              break;
            default: next = text.charAt(at);
          }
        }
        string.append(next);
      }
      if (at++ >= text.length()) throw new IllegalArgumentException("an end within a text");
      return string.toString();
    }

    private Object word(String word, Object value) {
      if (!text.startsWith(word, at)) throw new IllegalArgumentException("no value");
      at += word.length();
      return value;
    }

    /** The next character that is no blank; 0 at the end. */
    private char peek() {
      while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
      return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean skip(char wanted) {
      if (peek() != wanted) return false;
      at++;
      return true;
    }

    private void expect(char wanted) {
      if (!skip(wanted)) throw new IllegalArgumentException("no " + wanted);
    }
  }

  /** The program: verifies each line of its input. {@code java Verify.java --limited} allows limited access. */
  public static void main(String[] arguments) throws IOException {
    boolean limited = arguments.length > 0 && arguments[0].equals("--limited");
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      try {
        System.out.println("accepted " + verify(line, limited).get("sub"));
      } catch (Refused refusal) {
        System.out.println("refused " + refusal.getMessage());
      } catch (Unavailable trouble) {
        System.out.println("unavailable " + trouble.getMessage());
      }
    }
  }
}
