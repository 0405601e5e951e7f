// WEBHOOK_SECRET=whsec_… go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const folder = "events"

// isGenuine reports whether the service has signed these bytes with our secret, within the last five minutes.
func isGenuine(secret string, body []byte, header http.Header) bool {
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

// store keeps an event under its id, once: only the first link to a name succeeds.
func store(id string, body []byte) error {
	part, err := os.CreateTemp(folder, "*.part")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	if _, err := part.Write(body); err != nil {
		return err
	}
	if err := part.Sync(); err != nil {
		return err
	}
	err = os.Link(part.Name(), filepath.Join(folder, id+".json"))
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return err
}

// work is yours. It runs again if the program ends within it, so let it be repeatable.
func work(body []byte) error {
	var event struct {
		Event, UUID string
		Tag         map[string]any
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return err
	}
	fmt.Println(event.Event, event.UUID, event.Tag["Item Type"])
	return nil
}

func workLater() {
	for ; ; time.Sleep(time.Second) {
		paths, _ := filepath.Glob(filepath.Join(folder, "*.json"))
		for _, path := range paths {
			if _, err := os.Stat(path + ".done"); err == nil {
				continue
			}
			body, err := os.ReadFile(path)
			if err == nil {
				err = work(body)
			}
			if err == nil {
				err = os.WriteFile(path+".done", nil, 0o600)
			}
			if err != nil {
				log.Print(path, ": ", err)
			}
		}
	}
}

func main() {
	secret, port := os.Getenv("WEBHOOK_SECRET"), os.Getenv("PORT")
	if port == "" {
		port = "8000"
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		log.Fatal(err)
	}
	go workLater()
	http.HandleFunc("/webhook", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 1<<20))
		if err != nil || !isGenuine(secret, body, request.Header) {
			response.WriteHeader(http.StatusUnauthorized)
		} else if err := store(request.Header.Get("webhook-id"), body); err != nil {
			log.Print(err)
			response.WriteHeader(http.StatusInternalServerError)
		} else {
			response.WriteHeader(http.StatusNoContent)
		}
	})
	log.Fatal(http.ListenAndServe("localhost:"+port, nil))
}
