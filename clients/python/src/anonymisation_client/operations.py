# Made from the interface by `npm run docs`.
"""Calls of the interface."""

from __future__ import annotations

from typing import Any, Literal, Protocol, cast

from . import models


class Call(Protocol):
    def __call__(self, method: str, path: str, **given: Any) -> Any: ...


class AsyncCall(Protocol):
    async def __call__(self, method: str, path: str, **given: Any) -> Any: ...


class Auth:
    def __init__(self, call: Call) -> None:
        self._call = call

    def register(self, body: models.Registration) -> models.User:
        """Register."""
        return cast("models.User", self._call("POST", "/auth/register", body=body, authorised=False))

    def login(self, body: models.Credentials) -> models.Tokens:
        """Log in."""
        return cast("models.Tokens", self._call("POST", "/auth/login", body=body, authorised=False))

    def refresh(self, body: models.AuthRefreshBody | None = None) -> models.Tokens:
        """Exchange a refresh token for new tokens."""
        return cast("models.Tokens", self._call("POST", "/auth/refresh", body=body, authorised=False))

    def exchange(self, body: models.TokenExchange) -> models.ExchangedToken:
        """Exchange the token of a workload for an access token of a service account."""
        return cast("models.ExchangedToken", self._call("POST", "/auth/token", body=body, authorised=False))

    def change_password(self, body: models.AuthChangePasswordBody, *, idempotency_key: str | None = None) -> models.AuthChangePasswordReply:
        """Change your own password."""
        return cast("models.AuthChangePasswordReply", self._call("PUT", "/auth/password", body=body, idempotency_key=idempotency_key))

    def set_up_second_factor(self, body: models.AuthSetUpSecondFactorBody, *, idempotency_key: str | None = None) -> models.AuthSetUpSecondFactorReply:
        """Begin to set up a second factor."""
        return cast("models.AuthSetUpSecondFactorReply", self._call("POST", "/auth/second-factor", body=body, idempotency_key=idempotency_key))

    def enable_second_factor(self, body: models.AuthEnableSecondFactorBody, *, idempotency_key: str | None = None) -> models.AuthEnableSecondFactorReply:
        """Turn the second factor on, by its first code."""
        return cast("models.AuthEnableSecondFactorReply", self._call("PUT", "/auth/second-factor", body=body, idempotency_key=idempotency_key))

    def disable_second_factor(self, body: models.AuthDisableSecondFactorBody) -> models.AuthDisableSecondFactorReply:
        """Turn the second factor off, by a code."""
        return cast("models.AuthDisableSecondFactorReply", self._call("DELETE", "/auth/second-factor", body=body))

    def me(self) -> models.AuthMeReply:
        """Show the current user."""
        return cast("models.AuthMeReply", self._call("GET", "/auth/me"))

    def logout(self) -> models.AuthLogoutReply:
        """Log out."""
        return cast("models.AuthLogoutReply", self._call("POST", "/auth/logout", authorised=False))


class Identity:
    def __init__(self, call: Call) -> None:
        self._call = call

    def providers(self) -> models.IdentityProvidersReply:
        """List the providers that people may log in by."""
        return cast("models.IdentityProvidersReply", self._call("GET", "/identity/providers/", authorised=False))

    def logout(self, provider: str, body: models.IdentityLogoutBody) -> models.IdentityLogoutReply:
        """End the sessions of somebody who has logged out at the provider."""
        return cast("models.IdentityLogoutReply", self._call("POST", "/identity/providers/{provider}/logout", parameters={"provider": provider}, body=body, authorised=False))

    def set_secret(self, provider: str, body: models.IdentitySetSecretBody, *, idempotency_key: str | None = None) -> models.IdentitySetSecretReply:
        """Keep the secret that the provider knows this service by."""
        return cast("models.IdentitySetSecretReply", self._call("PUT", "/identity/providers/{provider}/secret", parameters={"provider": provider}, body=body, idempotency_key=idempotency_key))


class Sources:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.SourcesListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.SourcesListReply:
        """List sources."""
        return cast("models.SourcesListReply", self._call("POST", "/sources/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def create(self, body: models.SourceCreate, *, idempotency_key: str | None = None) -> models.Source:
        """Create a source."""
        return cast("models.Source", self._call("POST", "/sources/", body=body, idempotency_key=idempotency_key))

    def test(self, body: models.SourceTest, *, idempotency_key: str | None = None) -> models.SourceTestResult:
        """Test a connection."""
        return cast("models.SourceTestResult", self._call("POST", "/sources/test", body=body, idempotency_key=idempotency_key))

    def get(self, source_id: str) -> models.Source:
        """Show a source."""
        return cast("models.Source", self._call("GET", "/sources/{source_id}", parameters={"source_id": source_id}))

    def update(self, source_id: str, body: models.SourceChanges | None = None, *, idempotency_key: str | None = None) -> models.Source:
        """Change the name or config of a source."""
        return cast("models.Source", self._call("PUT", "/sources/{source_id}", parameters={"source_id": source_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, source_id: str) -> models.Deleted:
        """Delete a source."""
        return cast("models.Deleted", self._call("DELETE", "/sources/{source_id}", parameters={"source_id": source_id}))

    def preview(self, source_id: str, body: models.PreviewQuery | None = None, *, idempotency_key: str | None = None) -> models.Preview:
        """List the files or tables of a source, or show one of them."""
        return cast("models.Preview", self._call("POST", "/sources/{source_id}/preview", parameters={"source_id": source_id}, body=body, idempotency_key=idempotency_key))

    def discover(self, source_id: str, body: models.DiscoverQuery, *, idempotency_key: str | None = None) -> models.Discovery:
        """Say what the columns of a table are."""
        return cast("models.Discovery", self._call("POST", "/sources/{source_id}/discover", parameters={"source_id": source_id}, body=body, idempotency_key=idempotency_key))


class Assets:
    def __init__(self, call: Call) -> None:
        self._call = call

    def get(self, asset_id: str) -> models.Asset:
        """Show an asset."""
        return cast("models.Asset", self._call("GET", "/assets/{asset_id}", parameters={"asset_id": asset_id}))

    def update(self, asset_id: str, body: models.AssetChanges | None = None, *, idempotency_key: str | None = None) -> models.Asset:
        """Change the name or type of an asset, or how its table is read."""
        return cast("models.Asset", self._call("PUT", "/assets/{asset_id}", parameters={"asset_id": asset_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, asset_id: str) -> models.Deleted:
        """Delete an asset and its file."""
        return cast("models.Deleted", self._call("DELETE", "/assets/{asset_id}", parameters={"asset_id": asset_id}))

    def url(self, asset_id: str) -> models.AssetsUrlReply:
        """Get a download URL."""
        return cast("models.AssetsUrlReply", self._call("GET", "/assets/{asset_id}/url", parameters={"asset_id": asset_id}))

    def page(self, asset_id: str, *, page: int | None = None) -> models.AssetPage:
        """Show what people see in an asset, page by page."""
        return cast("models.AssetPage", self._call("GET", "/assets/{asset_id}/page", parameters={"asset_id": asset_id}, query={"page": page}))

    def columns(self, asset_id: str) -> models.AssetColumns:
        """Say what the columns of a table are."""
        return cast("models.AssetColumns", self._call("GET", "/assets/{asset_id}/columns", parameters={"asset_id": asset_id}))

    def report(self, asset_id: str) -> models.AssetResult:
        """Show what was done to an asset."""
        return cast("models.AssetResult", self._call("GET", "/assets/{asset_id}/report", parameters={"asset_id": asset_id}))


class Workflows:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.WorkflowsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.WorkflowsListReply:
        """List workflows."""
        return cast("models.WorkflowsListReply", self._call("POST", "/workflows/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def create(self, body: models.WorkflowCreate, *, idempotency_key: str | None = None) -> models.Workflow:
        """Create a workflow."""
        return cast("models.Workflow", self._call("POST", "/workflows/", body=body, idempotency_key=idempotency_key))

    def get(self, workflow_id: str) -> models.Workflow:
        """Show a workflow."""
        return cast("models.Workflow", self._call("GET", "/workflows/{workflow_id}", parameters={"workflow_id": workflow_id}))

    def update(self, workflow_id: str, body: models.WorkflowChanges | None = None, *, idempotency_key: str | None = None) -> models.Workflow:
        """Change a workflow."""
        return cast("models.Workflow", self._call("PUT", "/workflows/{workflow_id}", parameters={"workflow_id": workflow_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, workflow_id: str) -> models.Deleted:
        """Delete a workflow."""
        return cast("models.Deleted", self._call("DELETE", "/workflows/{workflow_id}", parameters={"workflow_id": workflow_id}))


class Presets:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.PresetsListReply:
        """List presets."""
        return cast("models.PresetsListReply", self._call("GET", "/presets", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    def get(self, preset_id: str) -> models.Preset:
        """Show a preset with its rules."""
        return cast("models.Preset", self._call("GET", "/presets/{preset_id}", parameters={"preset_id": preset_id}))


class Rules:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.RulesListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.RulesListReply:
        """List rules."""
        return cast("models.RulesListReply", self._call("POST", "/rules/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def create(self, body: models.RuleCreateInput, *, idempotency_key: str | None = None) -> models.Rule:
        """Create a rule."""
        return cast("models.Rule", self._call("POST", "/rules/", body=body, idempotency_key=idempotency_key))

    def test(self, body: models.RuleTest, *, idempotency_key: str | None = None) -> models.RulesTestReply:
        """Try rules on a text."""
        return cast("models.RulesTestReply", self._call("POST", "/rules/test", body=body, idempotency_key=idempotency_key))

    def get(self, rule_id: str) -> models.Rule:
        """Show a rule."""
        return cast("models.Rule", self._call("GET", "/rules/{rule_id}", parameters={"rule_id": rule_id}))

    def update(self, rule_id: str, body: models.RuleChanges | None = None, *, idempotency_key: str | None = None) -> models.Rule:
        """Change a rule."""
        return cast("models.Rule", self._call("PUT", "/rules/{rule_id}", parameters={"rule_id": rule_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, rule_id: str) -> models.Deleted:
        """Delete a rule."""
        return cast("models.Deleted", self._call("DELETE", "/rules/{rule_id}", parameters={"rule_id": rule_id}))


class Lists:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.ListsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.ListsListReply:
        """List lists of values."""
        return cast("models.ListsListReply", self._call("POST", "/lists/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def create(self, body: models.ListCreate, *, idempotency_key: str | None = None) -> models.ValueList:
        """Create a list of values."""
        return cast("models.ValueList", self._call("POST", "/lists/", body=body, idempotency_key=idempotency_key))

    def get(self, list_id: str) -> models.ValueList:
        """Show a list."""
        return cast("models.ValueList", self._call("GET", "/lists/{list_id}", parameters={"list_id": list_id}))

    def update(self, list_id: str, body: models.ListsUpdateBody | None = None, *, idempotency_key: str | None = None) -> models.ValueList:
        """Change name or description of a list."""
        return cast("models.ValueList", self._call("PUT", "/lists/{list_id}", parameters={"list_id": list_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, list_id: str) -> models.Deleted:
        """Delete a list with its values."""
        return cast("models.Deleted", self._call("DELETE", "/lists/{list_id}", parameters={"list_id": list_id}))

    def entries(self, list_id: str, body: models.ListsEntriesBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.ListsEntriesReply:
        """Show values of a list."""
        return cast("models.ListsEntriesReply", self._call("POST", "/lists/{list_id}/entries/list", parameters={"list_id": list_id}, query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def add(self, list_id: str, body: models.ListsAddBody, *, idempotency_key: str | None = None) -> models.ValueList:
        """Add values to a list."""
        return cast("models.ValueList", self._call("POST", "/lists/{list_id}/entries", parameters={"list_id": list_id}, body=body, idempotency_key=idempotency_key))

    def remove(self, list_id: str, body: models.ListsRemoveBody) -> models.ValueList:
        """Remove values from a list."""
        return cast("models.ValueList", self._call("DELETE", "/lists/{list_id}/entries", parameters={"list_id": list_id}, body=body))

    def load(self, list_id: str, body: models.ListsLoadBody, *, idempotency_key: str | None = None) -> models.ValueList:
        """Add the values of a CSV file to a list."""
        return cast("models.ValueList", self._call("POST", "/lists/{list_id}/import", parameters={"list_id": list_id}, body=body, idempotency_key=idempotency_key))


class Models:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, modelId: str | None = None, source: str | None = None) -> models.ModelsListReply:
        """List models."""
        return cast("models.ModelsListReply", self._call("GET", "/models", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "modelId": modelId, "source": source}))


class Jobs:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.JobsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.JobsListReply:
        """List jobs."""
        return cast("models.JobsListReply", self._call("POST", "/jobs/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def uploads(self, body: models.UploadCreate, *, idempotency_key: str | None = None) -> models.Job:
        """Create a job and get upload URLs for large files."""
        return cast("models.Job", self._call("POST", "/jobs/uploads", body=body, idempotency_key=idempotency_key))

    def complete_uploads(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Say that the announced files have been uploaded."""
        return cast("models.Job", self._call("POST", "/jobs/{job_id}/uploads/complete", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    def get(self, job_id: str) -> models.Job:
        """Show a job with its assets and, once finished, its result."""
        return cast("models.Job", self._call("GET", "/jobs/{job_id}", parameters={"job_id": job_id}))

    def update(self, job_id: str, body: models.JobsUpdateBody | None = None, *, idempotency_key: str | None = None) -> models.Job:
        """Attach a workflow, a preset or several workflows, or change mode, name or description."""
        return cast("models.Job", self._call("PUT", "/jobs/{job_id}", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, job_id: str) -> models.Deleted:
        """Erase a job, its assets and their files."""
        return cast("models.Deleted", self._call("DELETE", "/jobs/{job_id}", parameters={"job_id": job_id}))

    def estimate(self, body: models.EstimateCreate | None = None, *, idempotency_key: str | None = None) -> models.Estimate:
        """Estimate what a job will take and cost before it is executed."""
        return cast("models.Estimate", self._call("POST", "/jobs/estimate", body=body, idempotency_key=idempotency_key))

    def execute(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Execute a job."""
        return cast("models.Job", self._call("POST", "/jobs/{job_id}/execute", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    def status(self, job_id: str) -> models.JobsStatusReply:
        """Show the status of a job."""
        return cast("models.JobsStatusReply", self._call("GET", "/jobs/{job_id}/status", parameters={"job_id": job_id}))

    def cancel(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Cancel a job."""
        return cast("models.Job", self._call("PUT", "/jobs/{job_id}/cancel", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    def assets(self, job_id: str, body: models.JobsAssetsBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.JobsAssetsReply:
        """List the assets of a job."""
        return cast("models.JobsAssetsReply", self._call("POST", "/jobs/{job_id}/assets", parameters={"job_id": job_id}, query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def remove_assets(self, job_id: str, body: models.JobsRemoveAssetsBody | None = None, *, assetIds: str | None = None) -> models.Job:
        """Remove assets from a job that has not been executed."""
        return cast("models.Job", self._call("DELETE", "/jobs/{job_id}/assets", parameters={"job_id": job_id}, query={"assetIds": assetIds}, body=body))

    def findings(self, job_id: str, *, assetId: str | None = None, label: str | None = None, minScore: float | None = None, maxScore: float | None = None, limit: int | None = None, cursor: str | None = None) -> models.FindingPage:
        """List what was found in the files of a finished job, and where, without values."""
        return cast("models.FindingPage", self._call("GET", "/jobs/{job_id}/findings", parameters={"job_id": job_id}, query={"assetId": assetId, "label": label, "minScore": minScore, "maxScore": maxScore, "limit": limit, "cursor": cursor}))

    def certificate(self, job_id: str, *, assetId: str | None = None) -> models.Certificate:
        """Show the signed certificate of a job that SUCCEEDED or FAILED."""
        return cast("models.Certificate", self._call("GET", "/jobs/{job_id}/certificate", parameters={"job_id": job_id}, query={"assetId": assetId}))

    def review(self, job_id: str) -> models.JobUnderReview:
        """Show a job that waits for its review: its assets, its rules, and who has released it."""
        return cast("models.JobUnderReview", self._call("GET", "/jobs/{job_id}/review", parameters={"job_id": job_id}))

    def proposals(self, job_id: str, *, assetId: str | None = None, cursor: str | None = None) -> models.ProposalPage:
        """Show what is to be replaced in a job that waits for its review, with the values."""
        return cast("models.ProposalPage", self._call("GET", "/jobs/{job_id}/review/proposals", parameters={"job_id": job_id}, query={"assetId": assetId, "cursor": cursor}))

    def page(self, job_id: str, *, assetId: str | None = None, page: int | None = None) -> models.PagePicture:
        """Show the picture of a page of a job that waits for its review."""
        return cast("models.PagePicture", self._call("GET", "/jobs/{job_id}/review/page", parameters={"job_id": job_id}, query={"assetId": assetId, "page": page}))

    def decisions(self, job_id: str) -> models.JobsDecisionsReply:
        """Show the decisions that were taken in a review."""
        return cast("models.JobsDecisionsReply", self._call("GET", "/jobs/{job_id}/review/decisions", parameters={"job_id": job_id}))

    def decide(self, job_id: str, body: models.JobsDecideBody | None = None, *, idempotency_key: str | None = None) -> models.JobsDecideReply:
        """Decide on what is to be replaced."""
        return cast("models.JobsDecideReply", self._call("POST", "/jobs/{job_id}/decisions", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))

    def release(self, job_id: str, body: models.JobsReleaseBody, *, idempotency_key: str | None = None) -> models.JobsReleaseReply:
        """Release a job after its review."""
        return cast("models.JobsReleaseReply", self._call("POST", "/jobs/{job_id}/review/release", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))

    def reject_review(self, job_id: str, *, idempotency_key: str | None = None) -> models.JobsRejectReviewReply:
        """Reject a job in its review: it FAILS with `review_rejected`, and nothing of it is made."""
        return cast("models.JobsRejectReviewReply", self._call("POST", "/jobs/{job_id}/review/reject", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    def load(self, body: models.Load, *, idempotency_key: str | None = None) -> models.Job:
        """Create a job from files of a source."""
        return cast("models.Job", self._call("POST", "/jobs/load", body=body, idempotency_key=idempotency_key))

    def copy(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Create a job from the inputs of a finished one."""
        return cast("models.Job", self._call("POST", "/jobs/{job_id}/copy", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    def deliver(self, job_id: str, body: models.DeliveryCreate, *, idempotency_key: str | None = None) -> models.Job:
        """Write the results of a finished job to a source."""
        return cast("models.Job", self._call("POST", "/jobs/{job_id}/deliver", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))


class Reviews:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None) -> models.ReviewsListReply:
        """List the jobs of everybody that wait for their review, those first whose time ends first."""
        return cast("models.ReviewsListReply", self._call("GET", "/reviews/", query={"skip": skip, "limit": limit, "cursor": cursor}))


class Texts:
    def __init__(self, call: Call) -> None:
        self._call = call

    def anonymise(self, body: models.TextsRequest | None = None, *, idempotency_key: str | None = None) -> models.TextsReply:
        """Anonymise texts or messages immediately."""
        return cast("models.TextsReply", self._call("POST", "/texts", body=body, idempotency_key=idempotency_key))

    def restore(self, body: models.RestoreRequest, *, idempotency_key: str | None = None) -> models.RestoreReply:
        """Put values back in place of placeholders."""
        return cast("models.RestoreReply", self._call("POST", "/texts/restore", body=body, idempotency_key=idempotency_key))


class Mcp:
    def __init__(self, call: Call) -> None:
        self._call = call

    def call(self, body: models.McpMessage, *, idempotency_key: str | None = None) -> models.McpReply:
        """Tools for language models."""
        return cast("models.McpReply", self._call("POST", "/mcp", body=body, idempotency_key=idempotency_key))


class Users:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, role: str | None = None, blocked: str | None = None) -> models.UsersListReply:
        """List users."""
        return cast("models.UsersListReply", self._call("GET", "/users/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "role": role, "blocked": blocked}))

    def get(self, user_id: str) -> models.User:
        """Show a user."""
        return cast("models.User", self._call("GET", "/users/{user_id}", parameters={"user_id": user_id}))

    def update(self, user_id: str, body: models.UserChanges | None = None, *, idempotency_key: str | None = None) -> models.User:
        """Change name, e-mail address or role of a user."""
        return cast("models.User", self._call("PUT", "/users/{user_id}", parameters={"user_id": user_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, user_id: str, *, purge: Literal["true", "false"] | None = None) -> models.Deleted:
        """Delete a user."""
        return cast("models.Deleted", self._call("DELETE", "/users/{user_id}", parameters={"user_id": user_id}, query={"purge": purge}))

    def block(self, user_id: str, body: models.UsersBlockBody | None = None, *, idempotency_key: str | None = None) -> models.User:
        """Block a user, or unblock with `blocked: false`."""
        return cast("models.User", self._call("PUT", "/users/{user_id}/block", parameters={"user_id": user_id}, body=body, idempotency_key=idempotency_key))

    def reset_password(self, user_id: str, body: models.UsersResetPasswordBody | None = None, *, idempotency_key: str | None = None) -> models.UsersResetPasswordReply:
        """Set the password of a user, or get a temporary one."""
        return cast("models.UsersResetPasswordReply", self._call("PUT", "/users/{user_id}/password/reset", parameters={"user_id": user_id}, body=body, idempotency_key=idempotency_key))

    def reset_second_factor(self, user_id: str) -> models.User:
        """Turn the second factor of a user off."""
        return cast("models.User", self._call("DELETE", "/users/{user_id}/second-factor", parameters={"user_id": user_id}))


class Roles:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.RolesListReply:
        """List roles."""
        return cast("models.RolesListReply", self._call("GET", "/roles/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    def create(self, body: models.RoleCreate, *, idempotency_key: str | None = None) -> models.Role:
        """Create a role."""
        return cast("models.Role", self._call("POST", "/roles/", body=body, idempotency_key=idempotency_key))

    def get(self, role_id: str) -> models.Role:
        """Show a role."""
        return cast("models.Role", self._call("GET", "/roles/{role_id}", parameters={"role_id": role_id}))

    def update(self, role_id: str, body: models.RoleChanges | None = None, *, idempotency_key: str | None = None) -> models.Role:
        """Change a role."""
        return cast("models.Role", self._call("PUT", "/roles/{role_id}", parameters={"role_id": role_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, role_id: str) -> models.Deleted:
        """Delete a role that nobody has."""
        return cast("models.Deleted", self._call("DELETE", "/roles/{role_id}", parameters={"role_id": role_id}))


class Permissions:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.PermissionsListReply:
        """List permissions."""
        return cast("models.PermissionsListReply", self._call("GET", "/permissions/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    def create(self, body: models.PermissionCreate, *, idempotency_key: str | None = None) -> models.Permission:
        """Create a permission."""
        return cast("models.Permission", self._call("POST", "/permissions/", body=body, idempotency_key=idempotency_key))

    def create_default(self, *, idempotency_key: str | None = None) -> models.PermissionsCreateDefaultReply:
        """Create the default permissions."""
        return cast("models.PermissionsCreateDefaultReply", self._call("POST", "/permissions/default", idempotency_key=idempotency_key))


class ServiceAccounts:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, role: str | None = None, blocked: str | None = None) -> models.ServiceAccountsListReply:
        """List service accounts."""
        return cast("models.ServiceAccountsListReply", self._call("GET", "/service-accounts/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "role": role, "blocked": blocked}))

    def create(self, body: models.ServiceAccountCreate, *, idempotency_key: str | None = None) -> models.ServiceAccount:
        """Create a service account."""
        return cast("models.ServiceAccount", self._call("POST", "/service-accounts/", body=body, idempotency_key=idempotency_key))

    def get(self, account_id: str) -> models.ServiceAccount:
        """Show a service account."""
        return cast("models.ServiceAccount", self._call("GET", "/service-accounts/{account_id}", parameters={"account_id": account_id}))

    def update(self, account_id: str, body: models.ServiceAccountChanges | None = None, *, idempotency_key: str | None = None) -> models.ServiceAccount:
        """Change, block or unblock a service account."""
        return cast("models.ServiceAccount", self._call("PUT", "/service-accounts/{account_id}", parameters={"account_id": account_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, account_id: str, *, purge: Literal["true", "false"] | None = None) -> models.Deleted:
        """Delete a service account."""
        return cast("models.Deleted", self._call("DELETE", "/service-accounts/{account_id}", parameters={"account_id": account_id}, query={"purge": purge}))

    def create_key(self, account_id: str, body: models.ServiceAccountsCreateKeyBody | None = None, *, idempotency_key: str | None = None) -> models.ServiceAccountsCreateKeyReply:
        """Make a key of a service account."""
        return cast("models.ServiceAccountsCreateKeyReply", self._call("POST", "/service-accounts/{account_id}/keys", parameters={"account_id": account_id}, body=body, idempotency_key=idempotency_key))

    def revoke_keys(self, account_id: str, body: models.ServiceAccountsRevokeKeysBody | None = None) -> models.ServiceAccount:
        """Revoke keys of a service account."""
        return cast("models.ServiceAccount", self._call("DELETE", "/service-accounts/{account_id}/keys", parameters={"account_id": account_id}, body=body))


class Schedules:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.SchedulesListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.SchedulesListReply:
        """List schedules."""
        return cast("models.SchedulesListReply", self._call("POST", "/schedules/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def create(self, body: models.ScheduleCreate, *, idempotency_key: str | None = None) -> models.Schedule:
        """Create a schedule."""
        return cast("models.Schedule", self._call("POST", "/schedules/", body=body, idempotency_key=idempotency_key))

    def get(self, schedule_id: str) -> models.Schedule:
        """Show a schedule."""
        return cast("models.Schedule", self._call("GET", "/schedules/{schedule_id}", parameters={"schedule_id": schedule_id}))

    def update(self, schedule_id: str, body: models.ScheduleChanges | None = None, *, idempotency_key: str | None = None) -> models.Schedule:
        """Change, pause or resume a schedule."""
        return cast("models.Schedule", self._call("PUT", "/schedules/{schedule_id}", parameters={"schedule_id": schedule_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, schedule_id: str) -> models.Deleted:
        """Delete a schedule."""
        return cast("models.Deleted", self._call("DELETE", "/schedules/{schedule_id}", parameters={"schedule_id": schedule_id}))

    def run(self, schedule_id: str, *, idempotency_key: str | None = None) -> models.ScheduleRun:
        """Run a schedule now."""
        return cast("models.ScheduleRun", self._call("POST", "/schedules/{schedule_id}/run", parameters={"schedule_id": schedule_id}, idempotency_key=idempotency_key))

    def runs(self, schedule_id: str, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, status: str | None = None) -> models.SchedulesRunsReply:
        """List the runs of a schedule."""
        return cast("models.SchedulesRunsReply", self._call("GET", "/schedules/{schedule_id}/runs", parameters={"schedule_id": schedule_id}, query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "status": status}))

    def parked(self, schedule_id: str, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.SchedulesParkedReply:
        """List the files and tables that a schedule could not process."""
        return cast("models.SchedulesParkedReply", self._call("GET", "/schedules/{schedule_id}/parked", parameters={"schedule_id": schedule_id}, query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    def retry(self, schedule_id: str, body: models.SchedulesRetryBody | None = None, *, idempotency_key: str | None = None) -> models.SchedulesRetryReply:
        """Have the next run take again what is parked."""
        return cast("models.SchedulesRetryReply", self._call("POST", "/schedules/{schedule_id}/retry", parameters={"schedule_id": schedule_id}, body=body, idempotency_key=idempotency_key))


class Notifications:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.NotificationsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.NotificationsListReply:
        """List notifications."""
        return cast("models.NotificationsListReply", self._call("POST", "/notifications/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def read(self, notification_id: str, *, idempotency_key: str | None = None) -> models.Notification:
        """Mark a notification as read."""
        return cast("models.Notification", self._call("POST", "/notifications/{notification_id}/read", parameters={"notification_id": notification_id}, idempotency_key=idempotency_key))


class Webhooks:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None) -> models.WebhooksListReply:
        """List webhooks."""
        return cast("models.WebhooksListReply", self._call("GET", "/webhooks/", query={"skip": skip, "limit": limit, "cursor": cursor}))

    def create(self, body: models.WebhookCreate, *, idempotency_key: str | None = None) -> models.WebhookWithSecret:
        """Create a webhook."""
        return cast("models.WebhookWithSecret", self._call("POST", "/webhooks/", body=body, idempotency_key=idempotency_key))

    def get(self, webhook_id: str) -> models.Webhook:
        """Show a webhook."""
        return cast("models.Webhook", self._call("GET", "/webhooks/{webhook_id}", parameters={"webhook_id": webhook_id}))

    def update(self, webhook_id: str, body: models.WebhookChanges | None = None, *, idempotency_key: str | None = None) -> models.Webhook:
        """Change, enable or disable a webhook."""
        return cast("models.Webhook", self._call("PUT", "/webhooks/{webhook_id}", parameters={"webhook_id": webhook_id}, body=body, idempotency_key=idempotency_key))

    def delete(self, webhook_id: str) -> models.Deleted:
        """Delete a webhook."""
        return cast("models.Deleted", self._call("DELETE", "/webhooks/{webhook_id}", parameters={"webhook_id": webhook_id}))

    def rotate(self, webhook_id: str, body: models.WebhooksRotateBody | None = None, *, idempotency_key: str | None = None) -> models.WebhookWithSecret:
        """Give a webhook a new secret or key."""
        return cast("models.WebhookWithSecret", self._call("POST", "/webhooks/{webhook_id}/secret", parameters={"webhook_id": webhook_id}, body=body, idempotency_key=idempotency_key))

    def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> models.WebhookDelivery:
        """Send a test event to a webhook."""
        return cast("models.WebhookDelivery", self._call("POST", "/webhooks/{webhook_id}/test", parameters={"webhook_id": webhook_id}, idempotency_key=idempotency_key))

    def deliveries(self, webhook_id: str, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, status: str | None = None, type: str | None = None) -> models.WebhooksDeliveriesReply:
        """List what was sent to a webhook."""
        return cast("models.WebhooksDeliveriesReply", self._call("GET", "/webhooks/{webhook_id}/deliveries", parameters={"webhook_id": webhook_id}, query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "status": status, "type": type}))

    def redeliver(self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> models.WebhookDelivery:
        """Send an event to a webhook again."""
        return cast("models.WebhookDelivery", self._call("POST", "/webhooks/{webhook_id}/deliveries/{delivery_id}/retry", parameters={"webhook_id": webhook_id, "delivery_id": delivery_id}, idempotency_key=idempotency_key))


class TokenKeys:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, name: str | None = None) -> models.TokenKeysListReply:
        """List the keys of reversible replacements."""
        return cast("models.TokenKeysListReply", self._call("GET", "/token-keys/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "name": name}))

    def rotate(self, key_id: str, *, idempotency_key: str | None = None) -> models.TokenKey:
        """Make a new generation of a key."""
        return cast("models.TokenKey", self._call("POST", "/token-keys/{key_id}/rotate", parameters={"key_id": key_id}, idempotency_key=idempotency_key))

    def destroy(self, key_id: str, body: models.TokenKeysDestroyBody | None = None, *, idempotency_key: str | None = None) -> models.TokenKey:
        """Destroy a key, so that its tokens can never be opened."""
        return cast("models.TokenKey", self._call("POST", "/token-keys/{key_id}/destroy", parameters={"key_id": key_id}, body=body, idempotency_key=idempotency_key))


class Reidentifications:
    def __init__(self, call: Call) -> None:
        self._call = call

    def create(self, body: models.ReidentificationCreate, *, idempotency_key: str | None = None) -> models.Reidentification:
        """Request the values of tokens, or files with their values restored."""
        return cast("models.Reidentification", self._call("POST", "/reidentifications/", body=body, idempotency_key=idempotency_key))

    def list(self, body: models.ReidentificationsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.ReidentificationsListReply:
        """List requests."""
        return cast("models.ReidentificationsListReply", self._call("POST", "/reidentifications/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    def get(self, reidentification_id: str) -> models.Reidentification:
        """Show a request."""
        return cast("models.Reidentification", self._call("GET", "/reidentifications/{reidentification_id}", parameters={"reidentification_id": reidentification_id}))

    def approve(self, reidentification_id: str, body: models.ReidentificationsApproveBody | None = None, *, idempotency_key: str | None = None) -> models.Reidentification:
        """Approve the request of somebody else."""
        return cast("models.Reidentification", self._call("POST", "/reidentifications/{reidentification_id}/approve", parameters={"reidentification_id": reidentification_id}, body=body, idempotency_key=idempotency_key))

    def reject(self, reidentification_id: str, *, idempotency_key: str | None = None) -> models.Reidentification:
        """Reject the request of somebody else."""
        return cast("models.Reidentification", self._call("POST", "/reidentifications/{reidentification_id}/reject", parameters={"reidentification_id": reidentification_id}, idempotency_key=idempotency_key))

    def open(self, reidentification_id: str, *, idempotency_key: str | None = None) -> models.Opened:
        """Open your own approved request, once."""
        return cast("models.Opened", self._call("POST", "/reidentifications/{reidentification_id}/open", parameters={"reidentification_id": reidentification_id}, idempotency_key=idempotency_key))


class Audit:
    def __init__(self, call: Call) -> None:
        self._call = call

    def list(self, body: models.AuditListBody | None = None, *, skip: int | None = None, limit: int | None = None, idempotency_key: str | None = None) -> models.AuditListReply:
        """List the audit trail of a day."""
        return cast("models.AuditListReply", self._call("POST", "/audit/list", query={"skip": skip, "limit": limit}, body=body, idempotency_key=idempotency_key))

    def heads(self) -> models.AuditHeadsReply:
        """Show where each chain of the audit trail ends."""
        return cast("models.AuditHeadsReply", self._call("GET", "/audit/heads"))

    def key(self) -> models.AuditKeyReply:
        """Show the public key that entries of the audit trail are checked with."""
        return cast("models.AuditKeyReply", self._call("GET", "/audit/key"))


class Certificates:
    def __init__(self, call: Call) -> None:
        self._call = call

    def keys(self) -> models.CertificatesKeysReply:
        """Show the public keys that certificates of jobs are checked with, old ones too."""
        return cast("models.CertificatesKeysReply", self._call("GET", "/.well-known/jwks.json", authorised=False))


class Transparency:
    def __init__(self, call: Call) -> None:
        self._call = call

    def key(self) -> models.TransparencyKeyReply:
        """Show the public key that checkpoints of the log are checked with."""
        return cast("models.TransparencyKeyReply", self._call("GET", "/transparency/key", authorised=False))

    def tile(self, *, path: str | None = None) -> models.TransparencyTileReply:
        """Get the download URL of a tile of hashes, or of a bundle of entries, of the log."""
        return cast("models.TransparencyTileReply", self._call("GET", "/transparency/tile", query={"path": path}, authorised=False))

    def consistency(self, *, first: int | None = None, second: int | None = None) -> models.TransparencyConsistencyReply:
        """Show that the log has only grown between two sizes."""
        return cast("models.TransparencyConsistencyReply", self._call("GET", "/transparency/consistency", query={"first": first, "second": second}, authorised=False))


class Operations:
    """Every call of the interface by resource and name."""

    def __init__(self, call: Call) -> None:
        self.auth = Auth(call)
        self.identity = Identity(call)
        self.sources = Sources(call)
        self.assets = Assets(call)
        self.workflows = Workflows(call)
        self.presets = Presets(call)
        self.rules = Rules(call)
        self.lists = Lists(call)
        self.models = Models(call)
        self.jobs = Jobs(call)
        self.reviews = Reviews(call)
        self.texts = Texts(call)
        self.mcp = Mcp(call)
        self.users = Users(call)
        self.roles = Roles(call)
        self.permissions = Permissions(call)
        self.service_accounts = ServiceAccounts(call)
        self.schedules = Schedules(call)
        self.notifications = Notifications(call)
        self.webhooks = Webhooks(call)
        self.token_keys = TokenKeys(call)
        self.reidentifications = Reidentifications(call)
        self.audit = Audit(call)
        self.certificates = Certificates(call)
        self.transparency = Transparency(call)


class AsyncAuth:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def register(self, body: models.Registration) -> models.User:
        """Register."""
        return cast("models.User", await self._call("POST", "/auth/register", body=body, authorised=False))

    async def login(self, body: models.Credentials) -> models.Tokens:
        """Log in."""
        return cast("models.Tokens", await self._call("POST", "/auth/login", body=body, authorised=False))

    async def refresh(self, body: models.AuthRefreshBody | None = None) -> models.Tokens:
        """Exchange a refresh token for new tokens."""
        return cast("models.Tokens", await self._call("POST", "/auth/refresh", body=body, authorised=False))

    async def exchange(self, body: models.TokenExchange) -> models.ExchangedToken:
        """Exchange the token of a workload for an access token of a service account."""
        return cast("models.ExchangedToken", await self._call("POST", "/auth/token", body=body, authorised=False))

    async def change_password(self, body: models.AuthChangePasswordBody, *, idempotency_key: str | None = None) -> models.AuthChangePasswordReply:
        """Change your own password."""
        return cast("models.AuthChangePasswordReply", await self._call("PUT", "/auth/password", body=body, idempotency_key=idempotency_key))

    async def set_up_second_factor(self, body: models.AuthSetUpSecondFactorBody, *, idempotency_key: str | None = None) -> models.AuthSetUpSecondFactorReply:
        """Begin to set up a second factor."""
        return cast("models.AuthSetUpSecondFactorReply", await self._call("POST", "/auth/second-factor", body=body, idempotency_key=idempotency_key))

    async def enable_second_factor(self, body: models.AuthEnableSecondFactorBody, *, idempotency_key: str | None = None) -> models.AuthEnableSecondFactorReply:
        """Turn the second factor on, by its first code."""
        return cast("models.AuthEnableSecondFactorReply", await self._call("PUT", "/auth/second-factor", body=body, idempotency_key=idempotency_key))

    async def disable_second_factor(self, body: models.AuthDisableSecondFactorBody) -> models.AuthDisableSecondFactorReply:
        """Turn the second factor off, by a code."""
        return cast("models.AuthDisableSecondFactorReply", await self._call("DELETE", "/auth/second-factor", body=body))

    async def me(self) -> models.AuthMeReply:
        """Show the current user."""
        return cast("models.AuthMeReply", await self._call("GET", "/auth/me"))

    async def logout(self) -> models.AuthLogoutReply:
        """Log out."""
        return cast("models.AuthLogoutReply", await self._call("POST", "/auth/logout", authorised=False))


class AsyncIdentity:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def providers(self) -> models.IdentityProvidersReply:
        """List the providers that people may log in by."""
        return cast("models.IdentityProvidersReply", await self._call("GET", "/identity/providers/", authorised=False))

    async def logout(self, provider: str, body: models.IdentityLogoutBody) -> models.IdentityLogoutReply:
        """End the sessions of somebody who has logged out at the provider."""
        return cast("models.IdentityLogoutReply", await self._call("POST", "/identity/providers/{provider}/logout", parameters={"provider": provider}, body=body, authorised=False))

    async def set_secret(self, provider: str, body: models.IdentitySetSecretBody, *, idempotency_key: str | None = None) -> models.IdentitySetSecretReply:
        """Keep the secret that the provider knows this service by."""
        return cast("models.IdentitySetSecretReply", await self._call("PUT", "/identity/providers/{provider}/secret", parameters={"provider": provider}, body=body, idempotency_key=idempotency_key))


class AsyncSources:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.SourcesListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.SourcesListReply:
        """List sources."""
        return cast("models.SourcesListReply", await self._call("POST", "/sources/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def create(self, body: models.SourceCreate, *, idempotency_key: str | None = None) -> models.Source:
        """Create a source."""
        return cast("models.Source", await self._call("POST", "/sources/", body=body, idempotency_key=idempotency_key))

    async def test(self, body: models.SourceTest, *, idempotency_key: str | None = None) -> models.SourceTestResult:
        """Test a connection."""
        return cast("models.SourceTestResult", await self._call("POST", "/sources/test", body=body, idempotency_key=idempotency_key))

    async def get(self, source_id: str) -> models.Source:
        """Show a source."""
        return cast("models.Source", await self._call("GET", "/sources/{source_id}", parameters={"source_id": source_id}))

    async def update(self, source_id: str, body: models.SourceChanges | None = None, *, idempotency_key: str | None = None) -> models.Source:
        """Change the name or config of a source."""
        return cast("models.Source", await self._call("PUT", "/sources/{source_id}", parameters={"source_id": source_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, source_id: str) -> models.Deleted:
        """Delete a source."""
        return cast("models.Deleted", await self._call("DELETE", "/sources/{source_id}", parameters={"source_id": source_id}))

    async def preview(self, source_id: str, body: models.PreviewQuery | None = None, *, idempotency_key: str | None = None) -> models.Preview:
        """List the files or tables of a source, or show one of them."""
        return cast("models.Preview", await self._call("POST", "/sources/{source_id}/preview", parameters={"source_id": source_id}, body=body, idempotency_key=idempotency_key))

    async def discover(self, source_id: str, body: models.DiscoverQuery, *, idempotency_key: str | None = None) -> models.Discovery:
        """Say what the columns of a table are."""
        return cast("models.Discovery", await self._call("POST", "/sources/{source_id}/discover", parameters={"source_id": source_id}, body=body, idempotency_key=idempotency_key))


class AsyncAssets:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def get(self, asset_id: str) -> models.Asset:
        """Show an asset."""
        return cast("models.Asset", await self._call("GET", "/assets/{asset_id}", parameters={"asset_id": asset_id}))

    async def update(self, asset_id: str, body: models.AssetChanges | None = None, *, idempotency_key: str | None = None) -> models.Asset:
        """Change the name or type of an asset, or how its table is read."""
        return cast("models.Asset", await self._call("PUT", "/assets/{asset_id}", parameters={"asset_id": asset_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, asset_id: str) -> models.Deleted:
        """Delete an asset and its file."""
        return cast("models.Deleted", await self._call("DELETE", "/assets/{asset_id}", parameters={"asset_id": asset_id}))

    async def url(self, asset_id: str) -> models.AssetsUrlReply:
        """Get a download URL."""
        return cast("models.AssetsUrlReply", await self._call("GET", "/assets/{asset_id}/url", parameters={"asset_id": asset_id}))

    async def page(self, asset_id: str, *, page: int | None = None) -> models.AssetPage:
        """Show what people see in an asset, page by page."""
        return cast("models.AssetPage", await self._call("GET", "/assets/{asset_id}/page", parameters={"asset_id": asset_id}, query={"page": page}))

    async def columns(self, asset_id: str) -> models.AssetColumns:
        """Say what the columns of a table are."""
        return cast("models.AssetColumns", await self._call("GET", "/assets/{asset_id}/columns", parameters={"asset_id": asset_id}))

    async def report(self, asset_id: str) -> models.AssetResult:
        """Show what was done to an asset."""
        return cast("models.AssetResult", await self._call("GET", "/assets/{asset_id}/report", parameters={"asset_id": asset_id}))


class AsyncWorkflows:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.WorkflowsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.WorkflowsListReply:
        """List workflows."""
        return cast("models.WorkflowsListReply", await self._call("POST", "/workflows/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def create(self, body: models.WorkflowCreate, *, idempotency_key: str | None = None) -> models.Workflow:
        """Create a workflow."""
        return cast("models.Workflow", await self._call("POST", "/workflows/", body=body, idempotency_key=idempotency_key))

    async def get(self, workflow_id: str) -> models.Workflow:
        """Show a workflow."""
        return cast("models.Workflow", await self._call("GET", "/workflows/{workflow_id}", parameters={"workflow_id": workflow_id}))

    async def update(self, workflow_id: str, body: models.WorkflowChanges | None = None, *, idempotency_key: str | None = None) -> models.Workflow:
        """Change a workflow."""
        return cast("models.Workflow", await self._call("PUT", "/workflows/{workflow_id}", parameters={"workflow_id": workflow_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, workflow_id: str) -> models.Deleted:
        """Delete a workflow."""
        return cast("models.Deleted", await self._call("DELETE", "/workflows/{workflow_id}", parameters={"workflow_id": workflow_id}))


class AsyncPresets:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.PresetsListReply:
        """List presets."""
        return cast("models.PresetsListReply", await self._call("GET", "/presets", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    async def get(self, preset_id: str) -> models.Preset:
        """Show a preset with its rules."""
        return cast("models.Preset", await self._call("GET", "/presets/{preset_id}", parameters={"preset_id": preset_id}))


class AsyncRules:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.RulesListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.RulesListReply:
        """List rules."""
        return cast("models.RulesListReply", await self._call("POST", "/rules/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def create(self, body: models.RuleCreateInput, *, idempotency_key: str | None = None) -> models.Rule:
        """Create a rule."""
        return cast("models.Rule", await self._call("POST", "/rules/", body=body, idempotency_key=idempotency_key))

    async def test(self, body: models.RuleTest, *, idempotency_key: str | None = None) -> models.RulesTestReply:
        """Try rules on a text."""
        return cast("models.RulesTestReply", await self._call("POST", "/rules/test", body=body, idempotency_key=idempotency_key))

    async def get(self, rule_id: str) -> models.Rule:
        """Show a rule."""
        return cast("models.Rule", await self._call("GET", "/rules/{rule_id}", parameters={"rule_id": rule_id}))

    async def update(self, rule_id: str, body: models.RuleChanges | None = None, *, idempotency_key: str | None = None) -> models.Rule:
        """Change a rule."""
        return cast("models.Rule", await self._call("PUT", "/rules/{rule_id}", parameters={"rule_id": rule_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, rule_id: str) -> models.Deleted:
        """Delete a rule."""
        return cast("models.Deleted", await self._call("DELETE", "/rules/{rule_id}", parameters={"rule_id": rule_id}))


class AsyncLists:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.ListsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.ListsListReply:
        """List lists of values."""
        return cast("models.ListsListReply", await self._call("POST", "/lists/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def create(self, body: models.ListCreate, *, idempotency_key: str | None = None) -> models.ValueList:
        """Create a list of values."""
        return cast("models.ValueList", await self._call("POST", "/lists/", body=body, idempotency_key=idempotency_key))

    async def get(self, list_id: str) -> models.ValueList:
        """Show a list."""
        return cast("models.ValueList", await self._call("GET", "/lists/{list_id}", parameters={"list_id": list_id}))

    async def update(self, list_id: str, body: models.ListsUpdateBody | None = None, *, idempotency_key: str | None = None) -> models.ValueList:
        """Change name or description of a list."""
        return cast("models.ValueList", await self._call("PUT", "/lists/{list_id}", parameters={"list_id": list_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, list_id: str) -> models.Deleted:
        """Delete a list with its values."""
        return cast("models.Deleted", await self._call("DELETE", "/lists/{list_id}", parameters={"list_id": list_id}))

    async def entries(self, list_id: str, body: models.ListsEntriesBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.ListsEntriesReply:
        """Show values of a list."""
        return cast("models.ListsEntriesReply", await self._call("POST", "/lists/{list_id}/entries/list", parameters={"list_id": list_id}, query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def add(self, list_id: str, body: models.ListsAddBody, *, idempotency_key: str | None = None) -> models.ValueList:
        """Add values to a list."""
        return cast("models.ValueList", await self._call("POST", "/lists/{list_id}/entries", parameters={"list_id": list_id}, body=body, idempotency_key=idempotency_key))

    async def remove(self, list_id: str, body: models.ListsRemoveBody) -> models.ValueList:
        """Remove values from a list."""
        return cast("models.ValueList", await self._call("DELETE", "/lists/{list_id}/entries", parameters={"list_id": list_id}, body=body))

    async def load(self, list_id: str, body: models.ListsLoadBody, *, idempotency_key: str | None = None) -> models.ValueList:
        """Add the values of a CSV file to a list."""
        return cast("models.ValueList", await self._call("POST", "/lists/{list_id}/import", parameters={"list_id": list_id}, body=body, idempotency_key=idempotency_key))


class AsyncModels:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, modelId: str | None = None, source: str | None = None) -> models.ModelsListReply:
        """List models."""
        return cast("models.ModelsListReply", await self._call("GET", "/models", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "modelId": modelId, "source": source}))


class AsyncJobs:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.JobsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.JobsListReply:
        """List jobs."""
        return cast("models.JobsListReply", await self._call("POST", "/jobs/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def uploads(self, body: models.UploadCreate, *, idempotency_key: str | None = None) -> models.Job:
        """Create a job and get upload URLs for large files."""
        return cast("models.Job", await self._call("POST", "/jobs/uploads", body=body, idempotency_key=idempotency_key))

    async def complete_uploads(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Say that the announced files have been uploaded."""
        return cast("models.Job", await self._call("POST", "/jobs/{job_id}/uploads/complete", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    async def get(self, job_id: str) -> models.Job:
        """Show a job with its assets and, once finished, its result."""
        return cast("models.Job", await self._call("GET", "/jobs/{job_id}", parameters={"job_id": job_id}))

    async def update(self, job_id: str, body: models.JobsUpdateBody | None = None, *, idempotency_key: str | None = None) -> models.Job:
        """Attach a workflow, a preset or several workflows, or change mode, name or description."""
        return cast("models.Job", await self._call("PUT", "/jobs/{job_id}", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, job_id: str) -> models.Deleted:
        """Erase a job, its assets and their files."""
        return cast("models.Deleted", await self._call("DELETE", "/jobs/{job_id}", parameters={"job_id": job_id}))

    async def estimate(self, body: models.EstimateCreate | None = None, *, idempotency_key: str | None = None) -> models.Estimate:
        """Estimate what a job will take and cost before it is executed."""
        return cast("models.Estimate", await self._call("POST", "/jobs/estimate", body=body, idempotency_key=idempotency_key))

    async def execute(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Execute a job."""
        return cast("models.Job", await self._call("POST", "/jobs/{job_id}/execute", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    async def status(self, job_id: str) -> models.JobsStatusReply:
        """Show the status of a job."""
        return cast("models.JobsStatusReply", await self._call("GET", "/jobs/{job_id}/status", parameters={"job_id": job_id}))

    async def cancel(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Cancel a job."""
        return cast("models.Job", await self._call("PUT", "/jobs/{job_id}/cancel", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    async def assets(self, job_id: str, body: models.JobsAssetsBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.JobsAssetsReply:
        """List the assets of a job."""
        return cast("models.JobsAssetsReply", await self._call("POST", "/jobs/{job_id}/assets", parameters={"job_id": job_id}, query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def remove_assets(self, job_id: str, body: models.JobsRemoveAssetsBody | None = None, *, assetIds: str | None = None) -> models.Job:
        """Remove assets from a job that has not been executed."""
        return cast("models.Job", await self._call("DELETE", "/jobs/{job_id}/assets", parameters={"job_id": job_id}, query={"assetIds": assetIds}, body=body))

    async def findings(self, job_id: str, *, assetId: str | None = None, label: str | None = None, minScore: float | None = None, maxScore: float | None = None, limit: int | None = None, cursor: str | None = None) -> models.FindingPage:
        """List what was found in the files of a finished job, and where, without values."""
        return cast("models.FindingPage", await self._call("GET", "/jobs/{job_id}/findings", parameters={"job_id": job_id}, query={"assetId": assetId, "label": label, "minScore": minScore, "maxScore": maxScore, "limit": limit, "cursor": cursor}))

    async def certificate(self, job_id: str, *, assetId: str | None = None) -> models.Certificate:
        """Show the signed certificate of a job that SUCCEEDED or FAILED."""
        return cast("models.Certificate", await self._call("GET", "/jobs/{job_id}/certificate", parameters={"job_id": job_id}, query={"assetId": assetId}))

    async def review(self, job_id: str) -> models.JobUnderReview:
        """Show a job that waits for its review: its assets, its rules, and who has released it."""
        return cast("models.JobUnderReview", await self._call("GET", "/jobs/{job_id}/review", parameters={"job_id": job_id}))

    async def proposals(self, job_id: str, *, assetId: str | None = None, cursor: str | None = None) -> models.ProposalPage:
        """Show what is to be replaced in a job that waits for its review, with the values."""
        return cast("models.ProposalPage", await self._call("GET", "/jobs/{job_id}/review/proposals", parameters={"job_id": job_id}, query={"assetId": assetId, "cursor": cursor}))

    async def page(self, job_id: str, *, assetId: str | None = None, page: int | None = None) -> models.PagePicture:
        """Show the picture of a page of a job that waits for its review."""
        return cast("models.PagePicture", await self._call("GET", "/jobs/{job_id}/review/page", parameters={"job_id": job_id}, query={"assetId": assetId, "page": page}))

    async def decisions(self, job_id: str) -> models.JobsDecisionsReply:
        """Show the decisions that were taken in a review."""
        return cast("models.JobsDecisionsReply", await self._call("GET", "/jobs/{job_id}/review/decisions", parameters={"job_id": job_id}))

    async def decide(self, job_id: str, body: models.JobsDecideBody | None = None, *, idempotency_key: str | None = None) -> models.JobsDecideReply:
        """Decide on what is to be replaced."""
        return cast("models.JobsDecideReply", await self._call("POST", "/jobs/{job_id}/decisions", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))

    async def release(self, job_id: str, body: models.JobsReleaseBody, *, idempotency_key: str | None = None) -> models.JobsReleaseReply:
        """Release a job after its review."""
        return cast("models.JobsReleaseReply", await self._call("POST", "/jobs/{job_id}/review/release", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))

    async def reject_review(self, job_id: str, *, idempotency_key: str | None = None) -> models.JobsRejectReviewReply:
        """Reject a job in its review: it FAILS with `review_rejected`, and nothing of it is made."""
        return cast("models.JobsRejectReviewReply", await self._call("POST", "/jobs/{job_id}/review/reject", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    async def load(self, body: models.Load, *, idempotency_key: str | None = None) -> models.Job:
        """Create a job from files of a source."""
        return cast("models.Job", await self._call("POST", "/jobs/load", body=body, idempotency_key=idempotency_key))

    async def copy(self, job_id: str, *, idempotency_key: str | None = None) -> models.Job:
        """Create a job from the inputs of a finished one."""
        return cast("models.Job", await self._call("POST", "/jobs/{job_id}/copy", parameters={"job_id": job_id}, idempotency_key=idempotency_key))

    async def deliver(self, job_id: str, body: models.DeliveryCreate, *, idempotency_key: str | None = None) -> models.Job:
        """Write the results of a finished job to a source."""
        return cast("models.Job", await self._call("POST", "/jobs/{job_id}/deliver", parameters={"job_id": job_id}, body=body, idempotency_key=idempotency_key))


class AsyncReviews:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None) -> models.ReviewsListReply:
        """List the jobs of everybody that wait for their review, those first whose time ends first."""
        return cast("models.ReviewsListReply", await self._call("GET", "/reviews/", query={"skip": skip, "limit": limit, "cursor": cursor}))


class AsyncTexts:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def anonymise(self, body: models.TextsRequest | None = None, *, idempotency_key: str | None = None) -> models.TextsReply:
        """Anonymise texts or messages immediately."""
        return cast("models.TextsReply", await self._call("POST", "/texts", body=body, idempotency_key=idempotency_key))

    async def restore(self, body: models.RestoreRequest, *, idempotency_key: str | None = None) -> models.RestoreReply:
        """Put values back in place of placeholders."""
        return cast("models.RestoreReply", await self._call("POST", "/texts/restore", body=body, idempotency_key=idempotency_key))


class AsyncMcp:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def call(self, body: models.McpMessage, *, idempotency_key: str | None = None) -> models.McpReply:
        """Tools for language models."""
        return cast("models.McpReply", await self._call("POST", "/mcp", body=body, idempotency_key=idempotency_key))


class AsyncUsers:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, role: str | None = None, blocked: str | None = None) -> models.UsersListReply:
        """List users."""
        return cast("models.UsersListReply", await self._call("GET", "/users/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "role": role, "blocked": blocked}))

    async def get(self, user_id: str) -> models.User:
        """Show a user."""
        return cast("models.User", await self._call("GET", "/users/{user_id}", parameters={"user_id": user_id}))

    async def update(self, user_id: str, body: models.UserChanges | None = None, *, idempotency_key: str | None = None) -> models.User:
        """Change name, e-mail address or role of a user."""
        return cast("models.User", await self._call("PUT", "/users/{user_id}", parameters={"user_id": user_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, user_id: str, *, purge: Literal["true", "false"] | None = None) -> models.Deleted:
        """Delete a user."""
        return cast("models.Deleted", await self._call("DELETE", "/users/{user_id}", parameters={"user_id": user_id}, query={"purge": purge}))

    async def block(self, user_id: str, body: models.UsersBlockBody | None = None, *, idempotency_key: str | None = None) -> models.User:
        """Block a user, or unblock with `blocked: false`."""
        return cast("models.User", await self._call("PUT", "/users/{user_id}/block", parameters={"user_id": user_id}, body=body, idempotency_key=idempotency_key))

    async def reset_password(self, user_id: str, body: models.UsersResetPasswordBody | None = None, *, idempotency_key: str | None = None) -> models.UsersResetPasswordReply:
        """Set the password of a user, or get a temporary one."""
        return cast("models.UsersResetPasswordReply", await self._call("PUT", "/users/{user_id}/password/reset", parameters={"user_id": user_id}, body=body, idempotency_key=idempotency_key))

    async def reset_second_factor(self, user_id: str) -> models.User:
        """Turn the second factor of a user off."""
        return cast("models.User", await self._call("DELETE", "/users/{user_id}/second-factor", parameters={"user_id": user_id}))


class AsyncRoles:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.RolesListReply:
        """List roles."""
        return cast("models.RolesListReply", await self._call("GET", "/roles/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    async def create(self, body: models.RoleCreate, *, idempotency_key: str | None = None) -> models.Role:
        """Create a role."""
        return cast("models.Role", await self._call("POST", "/roles/", body=body, idempotency_key=idempotency_key))

    async def get(self, role_id: str) -> models.Role:
        """Show a role."""
        return cast("models.Role", await self._call("GET", "/roles/{role_id}", parameters={"role_id": role_id}))

    async def update(self, role_id: str, body: models.RoleChanges | None = None, *, idempotency_key: str | None = None) -> models.Role:
        """Change a role."""
        return cast("models.Role", await self._call("PUT", "/roles/{role_id}", parameters={"role_id": role_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, role_id: str) -> models.Deleted:
        """Delete a role that nobody has."""
        return cast("models.Deleted", await self._call("DELETE", "/roles/{role_id}", parameters={"role_id": role_id}))


class AsyncPermissions:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.PermissionsListReply:
        """List permissions."""
        return cast("models.PermissionsListReply", await self._call("GET", "/permissions/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    async def create(self, body: models.PermissionCreate, *, idempotency_key: str | None = None) -> models.Permission:
        """Create a permission."""
        return cast("models.Permission", await self._call("POST", "/permissions/", body=body, idempotency_key=idempotency_key))

    async def create_default(self, *, idempotency_key: str | None = None) -> models.PermissionsCreateDefaultReply:
        """Create the default permissions."""
        return cast("models.PermissionsCreateDefaultReply", await self._call("POST", "/permissions/default", idempotency_key=idempotency_key))


class AsyncServiceAccounts:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, role: str | None = None, blocked: str | None = None) -> models.ServiceAccountsListReply:
        """List service accounts."""
        return cast("models.ServiceAccountsListReply", await self._call("GET", "/service-accounts/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "role": role, "blocked": blocked}))

    async def create(self, body: models.ServiceAccountCreate, *, idempotency_key: str | None = None) -> models.ServiceAccount:
        """Create a service account."""
        return cast("models.ServiceAccount", await self._call("POST", "/service-accounts/", body=body, idempotency_key=idempotency_key))

    async def get(self, account_id: str) -> models.ServiceAccount:
        """Show a service account."""
        return cast("models.ServiceAccount", await self._call("GET", "/service-accounts/{account_id}", parameters={"account_id": account_id}))

    async def update(self, account_id: str, body: models.ServiceAccountChanges | None = None, *, idempotency_key: str | None = None) -> models.ServiceAccount:
        """Change, block or unblock a service account."""
        return cast("models.ServiceAccount", await self._call("PUT", "/service-accounts/{account_id}", parameters={"account_id": account_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, account_id: str, *, purge: Literal["true", "false"] | None = None) -> models.Deleted:
        """Delete a service account."""
        return cast("models.Deleted", await self._call("DELETE", "/service-accounts/{account_id}", parameters={"account_id": account_id}, query={"purge": purge}))

    async def create_key(self, account_id: str, body: models.ServiceAccountsCreateKeyBody | None = None, *, idempotency_key: str | None = None) -> models.ServiceAccountsCreateKeyReply:
        """Make a key of a service account."""
        return cast("models.ServiceAccountsCreateKeyReply", await self._call("POST", "/service-accounts/{account_id}/keys", parameters={"account_id": account_id}, body=body, idempotency_key=idempotency_key))

    async def revoke_keys(self, account_id: str, body: models.ServiceAccountsRevokeKeysBody | None = None) -> models.ServiceAccount:
        """Revoke keys of a service account."""
        return cast("models.ServiceAccount", await self._call("DELETE", "/service-accounts/{account_id}/keys", parameters={"account_id": account_id}, body=body))


class AsyncSchedules:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.SchedulesListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.SchedulesListReply:
        """List schedules."""
        return cast("models.SchedulesListReply", await self._call("POST", "/schedules/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def create(self, body: models.ScheduleCreate, *, idempotency_key: str | None = None) -> models.Schedule:
        """Create a schedule."""
        return cast("models.Schedule", await self._call("POST", "/schedules/", body=body, idempotency_key=idempotency_key))

    async def get(self, schedule_id: str) -> models.Schedule:
        """Show a schedule."""
        return cast("models.Schedule", await self._call("GET", "/schedules/{schedule_id}", parameters={"schedule_id": schedule_id}))

    async def update(self, schedule_id: str, body: models.ScheduleChanges | None = None, *, idempotency_key: str | None = None) -> models.Schedule:
        """Change, pause or resume a schedule."""
        return cast("models.Schedule", await self._call("PUT", "/schedules/{schedule_id}", parameters={"schedule_id": schedule_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, schedule_id: str) -> models.Deleted:
        """Delete a schedule."""
        return cast("models.Deleted", await self._call("DELETE", "/schedules/{schedule_id}", parameters={"schedule_id": schedule_id}))

    async def run(self, schedule_id: str, *, idempotency_key: str | None = None) -> models.ScheduleRun:
        """Run a schedule now."""
        return cast("models.ScheduleRun", await self._call("POST", "/schedules/{schedule_id}/run", parameters={"schedule_id": schedule_id}, idempotency_key=idempotency_key))

    async def runs(self, schedule_id: str, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, status: str | None = None) -> models.SchedulesRunsReply:
        """List the runs of a schedule."""
        return cast("models.SchedulesRunsReply", await self._call("GET", "/schedules/{schedule_id}/runs", parameters={"schedule_id": schedule_id}, query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "status": status}))

    async def parked(self, schedule_id: str, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None) -> models.SchedulesParkedReply:
        """List the files and tables that a schedule could not process."""
        return cast("models.SchedulesParkedReply", await self._call("GET", "/schedules/{schedule_id}/parked", parameters={"schedule_id": schedule_id}, query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort}))

    async def retry(self, schedule_id: str, body: models.SchedulesRetryBody | None = None, *, idempotency_key: str | None = None) -> models.SchedulesRetryReply:
        """Have the next run take again what is parked."""
        return cast("models.SchedulesRetryReply", await self._call("POST", "/schedules/{schedule_id}/retry", parameters={"schedule_id": schedule_id}, body=body, idempotency_key=idempotency_key))


class AsyncNotifications:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.NotificationsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.NotificationsListReply:
        """List notifications."""
        return cast("models.NotificationsListReply", await self._call("POST", "/notifications/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def read(self, notification_id: str, *, idempotency_key: str | None = None) -> models.Notification:
        """Mark a notification as read."""
        return cast("models.Notification", await self._call("POST", "/notifications/{notification_id}/read", parameters={"notification_id": notification_id}, idempotency_key=idempotency_key))


class AsyncWebhooks:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None) -> models.WebhooksListReply:
        """List webhooks."""
        return cast("models.WebhooksListReply", await self._call("GET", "/webhooks/", query={"skip": skip, "limit": limit, "cursor": cursor}))

    async def create(self, body: models.WebhookCreate, *, idempotency_key: str | None = None) -> models.WebhookWithSecret:
        """Create a webhook."""
        return cast("models.WebhookWithSecret", await self._call("POST", "/webhooks/", body=body, idempotency_key=idempotency_key))

    async def get(self, webhook_id: str) -> models.Webhook:
        """Show a webhook."""
        return cast("models.Webhook", await self._call("GET", "/webhooks/{webhook_id}", parameters={"webhook_id": webhook_id}))

    async def update(self, webhook_id: str, body: models.WebhookChanges | None = None, *, idempotency_key: str | None = None) -> models.Webhook:
        """Change, enable or disable a webhook."""
        return cast("models.Webhook", await self._call("PUT", "/webhooks/{webhook_id}", parameters={"webhook_id": webhook_id}, body=body, idempotency_key=idempotency_key))

    async def delete(self, webhook_id: str) -> models.Deleted:
        """Delete a webhook."""
        return cast("models.Deleted", await self._call("DELETE", "/webhooks/{webhook_id}", parameters={"webhook_id": webhook_id}))

    async def rotate(self, webhook_id: str, body: models.WebhooksRotateBody | None = None, *, idempotency_key: str | None = None) -> models.WebhookWithSecret:
        """Give a webhook a new secret or key."""
        return cast("models.WebhookWithSecret", await self._call("POST", "/webhooks/{webhook_id}/secret", parameters={"webhook_id": webhook_id}, body=body, idempotency_key=idempotency_key))

    async def test(self, webhook_id: str, *, idempotency_key: str | None = None) -> models.WebhookDelivery:
        """Send a test event to a webhook."""
        return cast("models.WebhookDelivery", await self._call("POST", "/webhooks/{webhook_id}/test", parameters={"webhook_id": webhook_id}, idempotency_key=idempotency_key))

    async def deliveries(self, webhook_id: str, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, status: str | None = None, type: str | None = None) -> models.WebhooksDeliveriesReply:
        """List what was sent to a webhook."""
        return cast("models.WebhooksDeliveriesReply", await self._call("GET", "/webhooks/{webhook_id}/deliveries", parameters={"webhook_id": webhook_id}, query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "status": status, "type": type}))

    async def redeliver(self, webhook_id: str, delivery_id: str, *, idempotency_key: str | None = None) -> models.WebhookDelivery:
        """Send an event to a webhook again."""
        return cast("models.WebhookDelivery", await self._call("POST", "/webhooks/{webhook_id}/deliveries/{delivery_id}/retry", parameters={"webhook_id": webhook_id, "delivery_id": delivery_id}, idempotency_key=idempotency_key))


class AsyncTokenKeys:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, search: str | None = None, sort: str | None = None, name: str | None = None) -> models.TokenKeysListReply:
        """List the keys of reversible replacements."""
        return cast("models.TokenKeysListReply", await self._call("GET", "/token-keys/", query={"skip": skip, "limit": limit, "cursor": cursor, "search": search, "sort": sort, "name": name}))

    async def rotate(self, key_id: str, *, idempotency_key: str | None = None) -> models.TokenKey:
        """Make a new generation of a key."""
        return cast("models.TokenKey", await self._call("POST", "/token-keys/{key_id}/rotate", parameters={"key_id": key_id}, idempotency_key=idempotency_key))

    async def destroy(self, key_id: str, body: models.TokenKeysDestroyBody | None = None, *, idempotency_key: str | None = None) -> models.TokenKey:
        """Destroy a key, so that its tokens can never be opened."""
        return cast("models.TokenKey", await self._call("POST", "/token-keys/{key_id}/destroy", parameters={"key_id": key_id}, body=body, idempotency_key=idempotency_key))


class AsyncReidentifications:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def create(self, body: models.ReidentificationCreate, *, idempotency_key: str | None = None) -> models.Reidentification:
        """Request the values of tokens, or files with their values restored."""
        return cast("models.Reidentification", await self._call("POST", "/reidentifications/", body=body, idempotency_key=idempotency_key))

    async def list(self, body: models.ReidentificationsListBody | None = None, *, skip: int | None = None, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> models.ReidentificationsListReply:
        """List requests."""
        return cast("models.ReidentificationsListReply", await self._call("POST", "/reidentifications/list", query={"skip": skip, "limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key))

    async def get(self, reidentification_id: str) -> models.Reidentification:
        """Show a request."""
        return cast("models.Reidentification", await self._call("GET", "/reidentifications/{reidentification_id}", parameters={"reidentification_id": reidentification_id}))

    async def approve(self, reidentification_id: str, body: models.ReidentificationsApproveBody | None = None, *, idempotency_key: str | None = None) -> models.Reidentification:
        """Approve the request of somebody else."""
        return cast("models.Reidentification", await self._call("POST", "/reidentifications/{reidentification_id}/approve", parameters={"reidentification_id": reidentification_id}, body=body, idempotency_key=idempotency_key))

    async def reject(self, reidentification_id: str, *, idempotency_key: str | None = None) -> models.Reidentification:
        """Reject the request of somebody else."""
        return cast("models.Reidentification", await self._call("POST", "/reidentifications/{reidentification_id}/reject", parameters={"reidentification_id": reidentification_id}, idempotency_key=idempotency_key))

    async def open(self, reidentification_id: str, *, idempotency_key: str | None = None) -> models.Opened:
        """Open your own approved request, once."""
        return cast("models.Opened", await self._call("POST", "/reidentifications/{reidentification_id}/open", parameters={"reidentification_id": reidentification_id}, idempotency_key=idempotency_key))


class AsyncAudit:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def list(self, body: models.AuditListBody | None = None, *, skip: int | None = None, limit: int | None = None, idempotency_key: str | None = None) -> models.AuditListReply:
        """List the audit trail of a day."""
        return cast("models.AuditListReply", await self._call("POST", "/audit/list", query={"skip": skip, "limit": limit}, body=body, idempotency_key=idempotency_key))

    async def heads(self) -> models.AuditHeadsReply:
        """Show where each chain of the audit trail ends."""
        return cast("models.AuditHeadsReply", await self._call("GET", "/audit/heads"))

    async def key(self) -> models.AuditKeyReply:
        """Show the public key that entries of the audit trail are checked with."""
        return cast("models.AuditKeyReply", await self._call("GET", "/audit/key"))


class AsyncCertificates:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def keys(self) -> models.CertificatesKeysReply:
        """Show the public keys that certificates of jobs are checked with, old ones too."""
        return cast("models.CertificatesKeysReply", await self._call("GET", "/.well-known/jwks.json", authorised=False))


class AsyncTransparency:
    def __init__(self, call: AsyncCall) -> None:
        self._call = call

    async def key(self) -> models.TransparencyKeyReply:
        """Show the public key that checkpoints of the log are checked with."""
        return cast("models.TransparencyKeyReply", await self._call("GET", "/transparency/key", authorised=False))

    async def tile(self, *, path: str | None = None) -> models.TransparencyTileReply:
        """Get the download URL of a tile of hashes, or of a bundle of entries, of the log."""
        return cast("models.TransparencyTileReply", await self._call("GET", "/transparency/tile", query={"path": path}, authorised=False))

    async def consistency(self, *, first: int | None = None, second: int | None = None) -> models.TransparencyConsistencyReply:
        """Show that the log has only grown between two sizes."""
        return cast("models.TransparencyConsistencyReply", await self._call("GET", "/transparency/consistency", query={"first": first, "second": second}, authorised=False))


class AsyncOperations:
    """Every call of the interface by resource and name."""

    def __init__(self, call: AsyncCall) -> None:
        self.auth = AsyncAuth(call)
        self.identity = AsyncIdentity(call)
        self.sources = AsyncSources(call)
        self.assets = AsyncAssets(call)
        self.workflows = AsyncWorkflows(call)
        self.presets = AsyncPresets(call)
        self.rules = AsyncRules(call)
        self.lists = AsyncLists(call)
        self.models = AsyncModels(call)
        self.jobs = AsyncJobs(call)
        self.reviews = AsyncReviews(call)
        self.texts = AsyncTexts(call)
        self.mcp = AsyncMcp(call)
        self.users = AsyncUsers(call)
        self.roles = AsyncRoles(call)
        self.permissions = AsyncPermissions(call)
        self.service_accounts = AsyncServiceAccounts(call)
        self.schedules = AsyncSchedules(call)
        self.notifications = AsyncNotifications(call)
        self.webhooks = AsyncWebhooks(call)
        self.token_keys = AsyncTokenKeys(call)
        self.reidentifications = AsyncReidentifications(call)
        self.audit = AsyncAudit(call)
        self.certificates = AsyncCertificates(call)
        self.transparency = AsyncTransparency(call)
