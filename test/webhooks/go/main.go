// Reads a message of a webhook as JSON from the standard input and fails unless its signature holds.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	var message struct {
		Secret  string            `json:"secret"`
		Body    string            `json:"body"`
		Headers map[string]string `json:"headers"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&message); err != nil {
		log.Fatal(err)
	}
	receiver, err := standardwebhooks.NewWebhook(message.Secret)
	if err != nil {
		log.Fatal(err)
	}
	headers := http.Header{}
	for name, value := range message.Headers {
		headers.Set(name, value)
	}
	if err := receiver.Verify([]byte(message.Body), headers); err != nil {
		log.Fatal(err)
	}
}
