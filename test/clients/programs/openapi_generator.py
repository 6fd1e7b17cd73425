"""The main flow with what openapi-generator generates for Python."""

import os
import time
import urllib.request

import openapi_client as api

configuration = api.Configuration(host=os.environ["API_URL"])
client = api.ApiClient(configuration)
credentials = api.Credentials(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
configuration.access_token = api.AuthApi(client).auth_login(credentials).access_token

pattern = api.RegexRuleConfigInput(pattern="[a-z]+@example\\.org")
config = api.RuleCreateInputRegexConfig(regexRuleConfig=pattern)
new_rule = api.RuleCreateInput(api.RuleCreateInputRegex(name="EMAIL", type="REGEX", config=config))
rule = api.RulesApi(client).rules_create(new_rule).actual_instance
replacement = api.ReplacementInput(api.ReplacementInputText(text="[{{label}}]"))
workflow = api.WorkflowsApi(client).workflows_create(
    api.WorkflowCreate(
        name="Addresses",
        supportedAssetType="DOCUMENT",
        config=api.WorkflowConfigInput(rules=[api.RuleEntryInput(ruleId=rule.id, replacement=replacement)]),
    )
)
jobs = api.JobsApi(client)
job = jobs.jobs_upload(files=[("letter.txt", b"Write to ada@example.org.")], name="Letters")
jobs.jobs_update(job.id, jobs_update_request=api.JobsUpdateRequest(workflowId=workflow.id))
jobs.jobs_execute(job.id)
while jobs.jobs_status(job.id).status in ("PENDING", "IN_PROGRESS"):
    time.sleep(0.2)
output = jobs.jobs_get(job.id).result.assets[0].output_asset_id
with urllib.request.urlopen(api.AssetsApi(client).assets_url(output).url) as download:
    print(download.read().decode())
