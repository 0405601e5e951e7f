package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsGenuine takes the body as it arrived.
func IsGenuine(secret string, body []byte, header http.Header) bool {
	timestamp := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-seconds)) > 300 {
		return false
	}
	key := []byte(secret)
	if strings.HasPrefix(secret, "whsec_") {
		encoded := strings.TrimRight(secret[len("whsec_"):], "=")
		if key, err = base64.RawStdEncoding.DecodeString(encoded); err != nil {
			return false
		}
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(header.Get("webhook-id") + "." + timestamp + "."))
	mac.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return true
		}
	}
	return false
}
