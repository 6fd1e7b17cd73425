"""The main flow with what openapi-python-client generates."""

import io
import os
import time
import urllib.request

from anonymisation_service_client import AuthenticatedClient, Client, models, types
from anonymisation_service_client.api.assets import assets_url
from anonymisation_service_client.api.auth import auth_login
from anonymisation_service_client.api.jobs import jobs_execute, jobs_get, jobs_status, jobs_update, jobs_upload
from anonymisation_service_client.api.rules import rules_create
from anonymisation_service_client.api.workflows import workflows_create

address = os.environ["API_URL"]
credentials = models.Credentials(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
tokens = auth_login.sync(client=Client(address), body=credentials)
client = AuthenticatedClient(address, tokens.access_token)

rule = rules_create.sync(
    client=client,
    body=models.RuleCreateInputRegex(
        name="EMAIL",
        type_="REGEX",
        config=models.RuleCreateInputRegexConfig(models.RegexRuleConfigInput(pattern="[a-z]+@example\\.org")),
    ),
)
entry = models.RuleEntryInput(rule_id=rule.id, replacement=models.ReplacementInputText(text="[{{label}}]"))
workflow = workflows_create.sync(
    client=client,
    body=models.WorkflowCreate(
        name="Addresses",
        supported_asset_type=models.WorkflowCreateSupportedAssetType.DOCUMENT,
        config=models.WorkflowConfigInput(rules=[entry]),
    ),
)
letter = types.File(io.BytesIO(b"Write to ada@example.org."), "letter.txt", "text/plain")
job = jobs_upload.sync(client=client, body=models.JobsUploadBody(files=[letter], name="Letters"))
jobs_update.sync(job.id, client=client, body=models.JobsUpdateBody(workflow_id=workflow.id))
jobs_execute.sync(job.id, client=client)
while jobs_status.sync(job.id, client=client).status in ("PENDING", "IN_PROGRESS"):
    time.sleep(0.2)
output = jobs_get.sync(job.id, client=client).result.assets[0].output_asset_id
with urllib.request.urlopen(assets_url.sync(output, client=client).url) as download:
    print(download.read().decode())
