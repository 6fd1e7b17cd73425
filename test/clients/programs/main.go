// The main flow with what openapi-generator generates for Go.
package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	api "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func must[T any](value T, _ *http.Response, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func try[T any](value T, err error) T {
	return must(value, nil, err)
}

func letter() *os.File {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("letter-%d.txt", os.Getpid()))
	if err := os.WriteFile(path, []byte("Write to ada@example.org."), 0o600); err != nil {
		panic(err)
	}
	return try(os.Open(path))
}

func main() {
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("API_URL")}}
	client := api.NewAPIClient(configuration)
	ctx := context.Background()
	credentials := *api.NewCredentials(os.Getenv("EMAIL"), os.Getenv("PASSWORD"))
	tokens := must(client.AuthAPI.AuthLogin(ctx).Credentials(credentials).Execute())
	ctx = context.WithValue(ctx, api.ContextAccessToken, tokens.AccessToken)

	config := *api.NewRuleCreateInputRegexConfig(*api.NewRegexRuleConfigInput("[a-z]+@example\\.org"))
	newRule := api.RuleCreateInputRegexAsRuleCreateInput(api.NewRuleCreateInputRegex("EMAIL", "REGEX", config))
	rule := must(client.RulesAPI.RulesCreate(ctx).RuleCreateInput(newRule).Execute())
	replacement := api.ReplacementInput{ReplacementInputText: api.NewReplacementInputText("[{{label}}]")}
	entry := *api.NewRuleEntryInput(rule.RuleRegex.Id, replacement)
	rules := *api.NewWorkflowConfigInput([]api.RuleEntryInput{entry})
	newWorkflow := *api.NewWorkflowCreate("Addresses", "DOCUMENT", rules)
	workflow := must(client.WorkflowsAPI.WorkflowsCreate(ctx).WorkflowCreate(newWorkflow).Execute())

	file := letter()
	defer os.Remove(file.Name())
	job := must(client.JobsAPI.JobsUpload(ctx).Files([]*os.File{file}).Name("Letters").Execute())
	changes := *api.NewJobsUpdateRequest()
	changes.SetWorkflowId(workflow.Id)
	must(client.JobsAPI.JobsUpdate(ctx, job.Id).JobsUpdateRequest(changes).Execute())
	must(client.JobsAPI.JobsExecute(ctx, job.Id).Execute())
	for running := true; running; {
		time.Sleep(200 * time.Millisecond)
		status := must(client.JobsAPI.JobsStatus(ctx, job.Id).Execute()).Status
		running = status == api.PENDING || status == api.IN_PROGRESS
	}
	job = must(client.JobsAPI.JobsGet(ctx, job.Id).Execute())
	output := job.Result.Get().Assets[0].OutputAssetId.Get()
	place := must(client.AssetsAPI.AssetsUrl(ctx, *output).Execute())
	download := try(http.Get(place.Url))
	defer download.Body.Close()
	fmt.Println(string(try(io.ReadAll(download.Body))))
}
