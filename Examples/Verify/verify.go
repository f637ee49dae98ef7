// Verifies access tokens of one Gatehouse tenant with the standard library of Go 1.19 or newer.
package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

var issuer, audience = os.Getenv("ISSUER"), os.Getenv("AUDIENCE")

const (
	leeway = 30 * time.Second // by which two clocks may differ
	pause  = 10 * time.Second // at least, between two fetches of the key set
	kept   = time.Hour        // for which an outdated key set serves while no other can be fetched
)

var (
	form   = regexp.MustCompile(`^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{86}$`)
	maxAge = regexp.MustCompile(`max-age=(\d+)`)
)

// Refused is the reason of a refusal: answer 401, or 403 where it is "access".
type Refused string

func (reason Refused) Error() string { return string(reason) }

// ErrUnavailable says that there is no key set: answer 503.
var ErrUnavailable = errors.New("no key set")

// Verify answers the claims of a good token. A token with limited access is refused unless limited allows it.
func Verify(token string, limited bool) (map[string]any, error) {
	if len(token) > 8192 || !form.MatchString(token) {
		return nil, Refused("form")
	}
	parts := strings.Split(token, ".")
	// Maps, not structs: encoding/json matches the names of a struct's fields in any case.
	header, err := parse(parts[0])
	if err != nil {
		return nil, err
	}
	if header["alg"] != "ES256" || header["typ"] != "at+jwt" || header["crit"] != nil {
		return nil, Refused("header")
	}
	kid, _ := header["kid"].(string)
	key, err := keys.key(kid)
	if err != nil {
		return nil, err
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil {
		return nil, Refused("form")
	}
	r, s := new(big.Int).SetBytes(signature[:32]), new(big.Int).SetBytes(signature[32:])
	digest := sha256.Sum256([]byte(parts[0] + "." + parts[1]))
	if !ecdsa.Verify(key, digest[:], r, s) {
		return nil, Refused("signature")
	}
	claims, err := parse(parts[1])
	if err != nil {
		return nil, err
	}
	expiry, _ := claims["exp"].(float64)
	switch {
	case claims["iss"] != issuer:
		return nil, Refused("issuer")
	case claims["aud"] != audience:
		return nil, Refused("audience")
	case !time.Now().Before(time.Unix(int64(expiry), 0).Add(leeway)):
		return nil, Refused("expired")
	case claims["access"] != "full" && !limited:
		return nil, Refused("access")
	}
	return claims, nil
}

func parse(part string) (map[string]any, error) {
	var object map[string]any
	text, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil || json.Unmarshal(text, &object) != nil {
		return nil, Refused("form")
	}
	return object, nil
}

// keySet has the tenant's public keys, fetched when they are needed.
type keySet struct {
	lock              sync.Mutex
	known             map[string]*ecdsa.PublicKey
	freshUntil, asked time.Time
}

var (
	keys   keySet
	client = http.Client{Timeout: 3 * time.Second}
)

func (set *keySet) key(kid string) (*ecdsa.PublicKey, error) {
	set.lock.Lock()
	defer set.lock.Unlock()
	now := time.Now()
	var failure error
	if (now.After(set.freshUntil) || set.known[kid] == nil) && now.After(set.asked.Add(pause)) {
		set.asked = now
		failure = set.fetch()
	}
	if time.Now().After(set.freshUntil.Add(kept)) {
		return nil, fmt.Errorf("%w: %v", ErrUnavailable, failure)
	}
	if key := set.known[kid]; key != nil {
		return key, nil
	}
	return nil, Refused("key")
}

func (set *keySet) fetch() error {
	answer, err := client.Get(issuer + "/.well-known/jwks.json")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var found struct {
		Keys []struct{ Kid, Crv, Alg, X, Y string }
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the key set was answered with %d", answer.StatusCode)
	}
	if err := json.NewDecoder(answer.Body).Decode(&found); err != nil {
		return err
	}
	known := map[string]*ecdsa.PublicKey{}
	for _, key := range found.Keys {
		x, errX := base64.RawURLEncoding.DecodeString(key.X)
		y, errY := base64.RawURLEncoding.DecodeString(key.Y)
		public := &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
		if key.Crv == "P-256" && key.Alg == "ES256" && errX == nil && errY == nil && public.IsOnCurve(public.X, public.Y) {
			known[key.Kid] = public
		}
	}
	age := 300 * time.Second
	if match := maxAge.FindStringSubmatch(answer.Header.Get("Cache-Control")); match != nil {
		if seconds, err := strconv.Atoi(match[1]); err == nil && seconds < int(kept/time.Second) {
			age = time.Duration(seconds) * time.Second
		}
	}
	set.known, set.freshUntil = known, time.Now().Add(age)
	return nil
}

// The program: verifies each line of its input. `go run verify.go --limited` allows limited access.
func main() {
	limited := len(os.Args) > 1 && os.Args[1] == "--limited"
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		claims, err := Verify(lines.Text(), limited)
		var refused Refused
		switch {
		case err == nil:
			fmt.Println("accepted", claims["sub"])
		case errors.As(err, &refused):
			fmt.Println("refused", refused)
		default:
			fmt.Println("unavailable", err)
		}
	}
}
