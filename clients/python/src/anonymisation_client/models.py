# Made from the interface by `npm run docs`.
"""Bodies of requests and answers of the interface."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict

class AiModelRuleConfigModelParameters(TypedDict):
    confidence_threshold: NotRequired[float]
    entities: NotRequired[list[str]]
    language: NotRequired[str]

class AiModelRuleConfig(TypedDict):
    modelId: str
    modelVersion: str
    modelParameters: AiModelRuleConfigModelParameters

class AiModelRuleConfigInputModelParameters(TypedDict):
    confidence_threshold: NotRequired[float]
    entities: NotRequired[list[str]]
    language: NotRequired[str]

class AiModelRuleConfigInput(TypedDict):
    modelId: str
    modelVersion: str
    modelParameters: NotRequired[AiModelRuleConfigInputModelParameters]

class AssetErrorsItem(TypedDict):
    loc: list[str]
    msg: str
    type: str

class Asset(TypedDict):
    id: str
    jobId: str
    name: str
    type: Literal["TABLE", "DOCUMENT"]
    contentType: str
    size: int | None
    sha256: str | None
    status: Literal["UPLOADING", "LOADING", "READY", "FAILED"]
    loaded: NotRequired[int]
    derivedFrom: NotRequired[str]
    sourceId: NotRequired[str]
    table: NotRequired[TableOptions]
    upload: NotRequired[UploadTicket]
    errors: NotRequired[list[AssetErrorsItem]]
    createdAt: str
    updatedAt: str

class AssetChanges(TypedDict):
    name: NotRequired[str]
    type: NotRequired[Literal["TABLE", "DOCUMENT"]]
    table: NotRequired[TableOptions]

class AssetColumns(TypedDict):
    columns: list[DiscoveredColumn]
    workflow: ProposedWorkflow | None

class AssetPageTextsItem(TypedDict):
    place: FindingPlace
    text: str

class AssetPage(TypedDict):
    assetId: str
    page: int
    pages: int | None
    more: bool
    picture: AssetPagePictureWidth | None
    texts: list[AssetPageTextsItem]

class AssetPagePictureWidth(TypedDict):
    width: int
    height: int
    content: str

class AssetReportDroppedItem(TypedDict):
    what: str
    count: int

class AssetReportOcr(TypedDict):
    pages: int
    confidence: float

class AssetReport(TypedDict):
    format: str
    examined: int
    choices: dict[str, Any]
    dropped: list[AssetReportDroppedItem]
    rasterised: list[int]
    ocr: NotRequired[AssetReportOcr]
    neutralised: int
    formulas: NotRequired[int]
    searched: NotRequired[int]
    warnings: list[str]

class AssetResultFindingsItem(TypedDict):
    ruleId: str
    name: str
    count: int
    labels: NotRequired[Labels]

class AssetResultPreset(TypedDict):
    id: str
    version: str

class AssetResult(TypedDict):
    assetId: str
    name: str
    status: Literal["SUCCEEDED", "FAILED"]
    outputAssetId: str | None
    url: str | None
    findings: list[AssetResultFindingsItem]
    report: NotRequired[AssetReport]
    preset: NotRequired[AssetResultPreset]
    risk: NotRequired[AssetRisk]
    errors: list[JobError]

AssetRiskBeforeHistogramItem = TypedDict("AssetRiskBeforeHistogramItem", {"from": "int", "to": "int | None", "classes": "int", "records": "int"})

class AssetRiskBeforeProsecutor(TypedDict):
    highest: float
    lowest: float
    average: float
    recordsAtHighest: float
    recordsAtRisk: float

class AssetRiskBeforeJournalist(TypedDict):
    highest: float
    lowest: float
    average: float
    recordsAtHighest: float
    recordsAtRisk: float

class AssetRiskBeforeMarketer(TypedDict):
    average: float

class AssetRiskBeforeSensitiveItem(TypedDict):
    column: str
    distinctL: float
    entropyL: float
    tEqual: float
    tOrdered: float | None

class AssetRiskBeforeUtility(TypedDict):
    discernibility: float
    averageClassSize: float
    loss: float | None
    entropy: float | None

class AssetRiskBefore(TypedDict):
    records: int
    suppressed: int
    classes: int
    k: int
    averageClassSize: float
    histogram: NotRequired[list[AssetRiskBeforeHistogramItem]]
    uniqueRecords: int
    uniqueness: float
    prosecutor: AssetRiskBeforeProsecutor
    journalist: AssetRiskBeforeJournalist
    marketer: AssetRiskBeforeMarketer
    sensitive: list[AssetRiskBeforeSensitiveItem]
    utility: AssetRiskBeforeUtility

AssetRiskAfterHistogramItem = TypedDict("AssetRiskAfterHistogramItem", {"from": "int", "to": "int | None", "classes": "int", "records": "int"})

class AssetRiskAfterProsecutor(TypedDict):
    highest: float
    lowest: float
    average: float
    recordsAtHighest: float
    recordsAtRisk: float

class AssetRiskAfterJournalist(TypedDict):
    highest: float
    lowest: float
    average: float
    recordsAtHighest: float
    recordsAtRisk: float

class AssetRiskAfterMarketer(TypedDict):
    average: float

class AssetRiskAfterSensitiveItem(TypedDict):
    column: str
    distinctL: float
    entropyL: float
    tEqual: float
    tOrdered: float | None

class AssetRiskAfterUtility(TypedDict):
    discernibility: float
    averageClassSize: float
    loss: float | None
    entropy: float | None

class AssetRiskAfter(TypedDict):
    records: int
    suppressed: int
    classes: int
    k: int
    averageClassSize: float
    histogram: NotRequired[list[AssetRiskAfterHistogramItem]]
    uniqueRecords: int
    uniqueness: float
    prosecutor: AssetRiskAfterProsecutor
    journalist: AssetRiskAfterJournalist
    marketer: AssetRiskAfterMarketer
    sensitive: list[AssetRiskAfterSensitiveItem]
    utility: AssetRiskAfterUtility

class AssetRisk(TypedDict):
    quasiIdentifiers: list[str]
    sensitive: list[str]
    threshold: float
    before: AssetRiskBefore
    after: AssetRiskAfter

class AuditEntry(TypedDict):
    shard: int
    seq: int
    at: str
    requestId: str
    userId: str | None
    operation: str
    recordId: str | None
    address: str
    outcome: Literal["done", "repeated", "refused", "failed"]
    status: int
    problem: str | None
    subject: str | None
    previous: str
    hash: str
    signature: str | None

class AuditHead(TypedDict):
    shard: int
    seq: int
    at: str
    hash: str
    signature: str | None
    since: str | None

class Box(TypedDict):
    left: float
    top: float
    right: float
    bottom: float

class Certificate(TypedDict):
    certificate: Envelope
    list: CertificateListName | None
    proof: CertificateProofLeaf | None
    opening: CertificateOpeningSalt | None
    receipt: str | None

class CertificateListName(TypedDict):
    name: str
    size: int
    url: str | None

class CertificateOpeningSalt(TypedDict):
    salt: str
    workflow: str | None

class CertificateProofLeaf(TypedDict):
    leaf: str
    index: int
    path: list[str]

class Credentials(TypedDict):
    email: str
    password: str
    code: NotRequired[str]

class DecisionCreateFilter(TypedDict):
    label: NotRequired[str]
    minScore: NotRequired[float]
    maxScore: NotRequired[float]

class DecisionCreateAt(TypedDict):
    textId: str
    start: int
    end: int

class DecisionCreateBox(TypedDict):
    page: int
    left: float
    top: float
    right: float
    bottom: float

class DecisionCreate(TypedDict):
    action: Literal["accept", "reject", "relabel", "add"]
    assetId: NotRequired[str]
    findingId: NotRequired[str]
    scope: NotRequired[Literal["here", "asset", "job"]]
    value: NotRequired[str]
    column: NotRequired[str]
    filter: NotRequired[DecisionCreateFilter]
    at: NotRequired[DecisionCreateAt]
    box: NotRequired[DecisionCreateBox]
    label: NotRequired[str]
    ruleId: NotRequired[str]
    rememberIn: NotRequired[str]

class Deleted(TypedDict):
    id: str
    deleted: bool

class DeliveredAsset(TypedDict):
    assetId: str
    outputAssetId: str | None
    status: Literal["SUCCEEDED", "FAILED"]
    name: str | None
    bytes: int | None
    rows: NotRequired[int]
    errors: list[JobError]

class DeliveryProgress(TypedDict):
    assets: int
    done: int
    failed: int

class Delivery(TypedDict):
    id: str
    sourceId: str
    mode: Literal["create", "replace", "update"]
    place: Literal["copy", "original"]
    folder: NotRequired[str]
    types: Literal["source", "text"]
    status: Literal["IN_PROGRESS", "SUCCEEDED", "FAILED", "CANCELLED"]
    progress: DeliveryProgress
    assets: list[DeliveredAsset]
    errors: list[JobError]
    createdAt: str
    finishedAt: str | None

class DeliveryCreate(TypedDict):
    sourceId: str
    mode: NotRequired[Literal["create", "replace", "update"]]
    place: NotRequired[Literal["copy", "original"]]
    folder: NotRequired[str]
    types: NotRequired[Literal["source", "text"]]

class DiscoverQuery(TypedDict):
    name: str

class DiscoveredColumn(TypedDict):
    name: str
    nativeType: NotRequired[str]
    values: int
    status: Literal["identified", "text", "nothing", "unknown"]
    labels: list[str]
    role: NotRequired[Literal["direct", "quasi", "sensitive"]]
    share: float
    score: float
    basis: NotRequired[Literal["heading", "checksum", "form"]]
    replacement: Replacement | None

class Discovery(TypedDict):
    entry: SourceEntry
    columns: list[DiscoveredColumn]
    workflow: ProposedWorkflow | None

class EnvelopeSignaturesItem(TypedDict):
    keyid: str
    sig: str

class Envelope(TypedDict):
    payloadType: Literal["application/vnd.in-toto+json"]
    payload: str
    signatures: list[EnvelopeSignaturesItem]

EstimateSeconds = TypedDict("EstimateSeconds", {"from": "float", "to": "float"})

EstimateWorkerSeconds = TypedDict("EstimateWorkerSeconds", {"from": "float", "to": "float"})

EstimateDollars = TypedDict("EstimateDollars", {"from": "float", "to": "float"})

EstimateKindsItemWorkerSeconds = TypedDict("EstimateKindsItemWorkerSeconds", {"from": "float", "to": "float"})

class EstimateKindsItem(TypedDict):
    kind: Literal["text", "table", "office", "workbook", "pdf", "picture"]
    reader: Literal["patterns", "recognisers", "models"]
    assets: int
    bytes: int
    workerSeconds: EstimateKindsItemWorkerSeconds

class Estimate(TypedDict):
    assets: int
    bytes: int
    seconds: EstimateSeconds
    workerSeconds: EstimateWorkerSeconds
    dollars: EstimateDollars
    kinds: list[EstimateKindsItem]
    pageSeconds: EstimatePageSecondsFrom | None
    uncounted: int
    unmeasured: bool

class EstimateCreateFilesItem(TypedDict):
    filename: str
    size: int

class EstimateCreate(TypedDict):
    jobId: NotRequired[str]
    files: NotRequired[list[EstimateCreateFilesItem]]
    workflowId: NotRequired[str]
    presetId: NotRequired[str]
    mode: NotRequired[JobMode]
    review: NotRequired[bool]

EstimatePageSecondsFrom = TypedDict("EstimatePageSecondsFrom", {"from": "float", "to": "float"})

class ExchangedToken(TypedDict):
    access_token: str
    issued_token_type: Literal["urn:ietf:params:oauth:token-type:access_token"]
    token_type: Literal["Bearer"]
    expires_in: int
    scope: str

class FindingPage(TypedDict):
    findings: list[PlacedFinding]
    cursor: str | None
    unlisted: list[str]

class FindingPlace(TypedDict):
    kind: Literal["body", "cell", "header", "note", "comment", "meta", "attribute", "name", "link", "ocr"]
    part: NotRequired[str]
    page: NotRequired[int]
    row: NotRequired[int]
    rows: NotRequired[int]
    column: NotRequired[str]

Generalisation: TypeAlias = "GeneralisationRange | GeneralisationDate | GeneralisationPrefix | GeneralisationHierarchy"

class GeneralisationDate(TypedDict):
    date: Literal["month", "quarter", "year", "decade"] | GeneralisationDatePart

class GeneralisationDatePart(TypedDict):
    part: Literal["month", "quarter", "year", "decade"]
    order: NotRequired[Literal["YMD", "DMY", "MDY"]]

class GeneralisationHierarchy(TypedDict):
    hierarchy: GeneralisationHierarchyRows | GeneralisationHierarchyAssetId

class GeneralisationHierarchyAssetId(TypedDict):
    level: int
    assetId: str

class GeneralisationHierarchyRows(TypedDict):
    level: int
    rows: list[list[str]]

class GeneralisationPrefixPrefix(TypedDict):
    keep: int
    char: NotRequired[str]

class GeneralisationPrefix(TypedDict):
    prefix: GeneralisationPrefixPrefix

class GeneralisationRange(TypedDict):
    range: float | GeneralisationRangeWidth | GeneralisationRangeBounds

class GeneralisationRangeBounds(TypedDict):
    bounds: list[float]

GeneralisationRangeWidth = TypedDict("GeneralisationRangeWidth", {"width": "float", "from": "NotRequired[float]"})

class JobProgress(TypedDict):
    assets: int
    done: int
    failed: int
    bytes: int | None
    bytesDone: int
    secondsLeft: int | None

class Job(TypedDict):
    id: str
    name: str
    description: str
    status: JobStatus
    workflowId: str | None
    presetId: str | None
    presetVersion: str | None
    plan: list[PlanEntry] | None
    mode: JobMode
    review: Review | None
    sourceId: NotRequired[str]
    progress: JobProgress
    createdAt: str
    updatedAt: str
    startedAt: str | None
    finishedAt: str | None
    Assets: list[Asset]
    result: JobResult | None
    errors: list[JobError]
    deliveries: list[Delivery]

class JobError(TypedDict):
    loc: list[str]
    msg: str
    type: str
    assetId: NotRequired[str]

JobMode: TypeAlias = "Literal[\"ANONYMISE\", \"INSPECT\"]"

class JobResultPreset(TypedDict):
    id: str
    version: str

class JobResultCounts(TypedDict):
    assets: int
    succeeded: int
    failed: int
    findings: int
    labels: Labels
    bytesIn: int
    bytesOut: int

class JobResult(TypedDict):
    outcome: Literal["SUCCEEDED", "FAILED", "CANCELLED"]
    startedAt: str | None
    finishedAt: str
    preset: NotRequired[JobResultPreset]
    counts: JobResultCounts
    assets: list[AssetResult]
    warnings: list[str]

JobStatus: TypeAlias = "Literal[\"PENDING\", \"IN_PROGRESS\", \"SUCCEEDED\", \"FAILED\", \"CANCELLED\"]"

class JobSummaryProgress(TypedDict):
    assets: int
    done: int
    failed: int
    bytes: int | None
    bytesDone: int
    secondsLeft: int | None

class JobSummary(TypedDict):
    id: str
    name: str
    description: str
    status: JobStatus
    workflowId: str | None
    presetId: str | None
    presetVersion: str | None
    plan: list[PlanEntry] | None
    mode: JobMode
    review: Review | None
    sourceId: NotRequired[str]
    progress: JobSummaryProgress
    createdAt: str
    updatedAt: str
    startedAt: str | None
    finishedAt: str | None
    assetCount: int

class JobUnderReviewOwner(TypedDict):
    id: str
    name: str | None

class JobUnderReviewPeopleItem(TypedDict):
    id: str
    name: str | None

class JobUnderReviewAssetsItem(TypedDict):
    id: str
    name: str
    type: Literal["TABLE", "DOCUMENT"]

class JobUnderReviewRulesItem(TypedDict):
    ruleId: str
    name: str

class JobUnderReview(TypedDict):
    id: str
    name: str
    owner: JobUnderReviewOwner
    assetCount: int
    startedAt: str | None
    review: Review
    people: list[JobUnderReviewPeopleItem]
    assets: list[JobUnderReviewAssetsItem]
    rules: list[JobUnderReviewRulesItem]

class LabelsItem(TypedDict):
    label: str
    count: int

Labels: TypeAlias = "list[LabelsItem]"

class ListCreate(TypedDict):
    name: str
    description: NotRequired[str]

class ListEntry(TypedDict):
    value: str
    match: Literal["word", "case", "exact", "inflected", "fuzzy", "pattern"]
    addedAt: str
    addedBy: str
    until: str | None
    why: str | None

class ListRuleConfig(TypedDict):
    listId: str

class LoadFiles_load_config(TypedDict):
    filenames: list[str]

class Load(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    presetId: NotRequired[str]
    mode: NotRequired[JobMode]
    sourceId: str
    sourceType: str
    files_load_config: LoadFiles_load_config

class McpMessage(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int]
    method: str
    params: NotRequired[dict[str, Any]]

class McpReplyError(TypedDict):
    code: int
    message: str
    data: NotRequired[Any]

class McpReply(TypedDict):
    jsonrpc: Literal["2.0"]
    id: NotRequired[str | int | None]
    result: NotRequired[dict[str, Any]]
    error: NotRequired[McpReplyError]

class Model(TypedDict):
    modelId: str
    modelVersion: str
    source: Literal["shipped", "bucket", "aws-comprehend"]
    description: str
    labels: list[str]
    languages: list[str]
    licence: str | None
    usable: bool
    reason: str | None

class NotificationResource(TypedDict):
    type: str
    id: str

class Notification(TypedDict):
    id: str
    kind: Literal["job.succeeded", "job.failed", "job.cancelled", "review.waiting", "load.failed", "delivery.succeeded", "delivery.failed", "schedule.failed", "reidentification.approved", "reidentification.rejected", "reidentification.opened", "user.blocked", "user.password_reset", "user.password_changed", "user.second_factor_changed", "user.identity_linked", "webhook.disabled"]
    title: str
    message: str
    resource: NotificationResource
    read: bool
    readAt: str | None
    createdAt: str

class OAuthProblemDetailItem(TypedDict):
    loc: list[str]
    msg: str
    type: str

class OAuthProblem(TypedDict):
    detail: list[OAuthProblemDetailItem]
    error: str
    error_description: str

class OpenedValuesItem(TypedDict):
    token: str
    value: str | None

class Opened(TypedDict):
    request: Reidentification
    values: list[OpenedValuesItem]

class PagePicture(TypedDict):
    assetId: str
    page: int
    width: int
    height: int
    picture: str

class ParkedEntry(TypedDict):
    name: str
    runId: str
    jobId: str | None
    error: JobError
    createdAt: str

class Permission(TypedDict):
    id: str
    name: str
    description: str
    createdAt: str
    updatedAt: str

class PermissionCreate(TypedDict):
    name: str
    description: NotRequired[str]

class PlacedFinding(TypedDict):
    id: str
    assetId: str
    label: str
    ruleId: str
    rule: str
    score: float
    reason: Reason
    place: FindingPlace
    start: int
    end: int

class PlanEntryMatch(TypedDict):
    type: NotRequired[Literal["TABLE", "DOCUMENT"]]
    name: NotRequired[str]

class PlanEntry(TypedDict):
    match: PlanEntryMatch
    workflowId: str

class PresetLabels(TypedDict):
    direct: list[str]
    quasi: list[str]

class PresetConfigRulesItem(TypedDict):
    ruleId: str
    rule: RuleCreate
    replacement: Replacement

class PresetConfig(TypedDict):
    rules: list[PresetConfigRulesItem]

class PresetItemsItem(TypedDict):
    item: str
    title: str
    by: list[str]
    note: NotRequired[str]

class Preset(TypedDict):
    id: str
    version: str
    name: str
    description: str
    labels: PresetLabels
    config: PresetConfig
    items: list[PresetItemsItem]
    sources: list[str]

class PresetSummaryLabels(TypedDict):
    direct: list[str]
    quasi: list[str]

class PresetSummary(TypedDict):
    id: str
    version: str
    name: str
    description: str
    labels: PresetSummaryLabels

Preview: TypeAlias = "PreviewEntries | PreviewEntry"

class PreviewEntries(TypedDict):
    entries: list[SourceEntry]
    cursor: NotRequired[str]

class PreviewEntryColumnsItem(TypedDict):
    name: str
    nativeType: str
    nullable: bool
    key: NotRequired[int]
    encoding: Literal["text", "hex"]

class PreviewEntry(TypedDict):
    entry: SourceEntry
    columns: NotRequired[list[PreviewEntryColumnsItem]]
    rows: NotRequired[list[list[str | None]]]

class PreviewQuery(TypedDict):
    path: NotRequired[str]
    cursor: NotRequired[str]
    limit: NotRequired[int]
    name: NotRequired[str]
    rows: NotRequired[int]

class ProblemDetailItem(TypedDict):
    loc: list[str]
    msg: str
    type: str

class Problem(TypedDict):
    detail: list[ProblemDetailItem]

class ProposalPageTextsItemFindingsItem(TypedDict):
    id: str
    label: str
    ruleId: str
    rule: str
    score: float
    reason: Reason
    decision: Literal["accept", "reject", "relabel"] | None
    relabelled: str | None
    start: int
    end: int
    boxes: NotRequired[list[Box]]

class ProposalPageTextsItem(TypedDict):
    id: str
    assetId: str
    place: FindingPlace
    offset: int
    text: str
    findings: list[ProposalPageTextsItemFindingsItem]

class ProposalPageValuesItem(TypedDict):
    id: str
    label: str
    ruleId: str
    rule: str
    score: float
    reason: Reason
    decision: Literal["accept", "reject", "relabel"] | None
    relabelled: str | None
    assetId: str
    column: str | None
    value: str
    count: int
    rows: list[int]

class ProposalPageGoneItem(TypedDict):
    assetId: str
    value: str
    label: str
    column: str | None

class ProposalPage(TypedDict):
    version: int
    texts: list[ProposalPageTextsItem]
    values: list[ProposalPageValuesItem]
    pages: int
    gone: list[ProposalPageGoneItem]
    cursor: str | None

class ProposedWorkflowRulesItemEntriesItem(TypedDict):
    columns: list[str]
    replacement: Replacement

class ProposedWorkflowRulesItem(TypedDict):
    rule: RuleCreate
    entries: list[ProposedWorkflowRulesItemEntriesItem]

class ProposedWorkflowRisk(TypedDict):
    quasiIdentifiers: list[str]
    sensitive: list[str]

class ProposedWorkflow(TypedDict):
    name: str
    rules: list[ProposedWorkflowRulesItem]
    risk: NotRequired[ProposedWorkflowRisk]

class PublicJwk(TypedDict):
    kty: Literal["EC"]
    crv: Literal["P-256"]
    x: str
    y: str
    kid: str
    alg: Literal["ES256"]
    use: Literal["sig"]

class Quota(TypedDict):
    bytesPerDay: NotRequired[int]
    jobsPerDay: NotRequired[int]

class Reason(TypedDict):
    by: Literal["regex", "pattern", "checksum", "model", "list", "repeat", "review"]
    pattern: NotRequired[str]
    context: NotRequired[str]

class RegexRuleConfigContextItem(TypedDict):
    words: list[str]
    score: float
    before: int
    after: int

class RegexRuleConfig(TypedDict):
    pattern: str
    flags: NotRequired[str]
    validator: NotRequired[str]
    score: NotRequired[float]
    confidence_threshold: NotRequired[float]
    context: NotRequired[list[RegexRuleConfigContextItem]]

class RegexRuleConfigInputContextItem(TypedDict):
    words: list[str]
    score: float
    before: NotRequired[int]
    after: NotRequired[int]

class RegexRuleConfigInput(TypedDict):
    pattern: str
    flags: NotRequired[str]
    validator: NotRequired[str]
    score: NotRequired[float]
    confidence_threshold: NotRequired[float]
    context: NotRequired[list[RegexRuleConfigInputContextItem]]

class Registration(TypedDict):
    name: str
    email: str
    password: str

class ReidentificationApprovalsItem(TypedDict):
    userId: str
    at: str

class Reidentification(TypedDict):
    id: str
    ownerId: str
    dataOwnerId: str
    status: Literal["PENDING", "APPROVED", "REJECTED", "OPENED", "EXPIRED"]
    purpose: Literal["care", "legal_obligation", "data_subject_request", "safety", "investigation", "quality", "research", "other"]
    reason: str
    legalBasis: str | None
    ticket: str | None
    tokenCount: int | None
    jobId: str | None
    assetId: str | None
    labels: list[str] | None
    emergency: bool
    fingerprint: str
    approvals: list[ReidentificationApprovalsItem]
    approvalsNeeded: int
    rejectedBy: str | None
    expiresAt: str
    openedAt: str | None
    restoredJobId: str | None
    createdAt: str
    updatedAt: str

class ReidentificationCreateEncrypted(TypedDict):
    ruleId: str
    label: NotRequired[str]
    values: list[str]

class ReidentificationCreate(TypedDict):
    purpose: Literal["care", "legal_obligation", "data_subject_request", "safety", "investigation", "quality", "research", "other"]
    reason: str
    legalBasis: NotRequired[str]
    ticket: NotRequired[str]
    tokens: NotRequired[list[str]]
    encrypted: NotRequired[ReidentificationCreateEncrypted]
    jobId: NotRequired[str]
    assetId: NotRequired[str]
    labels: NotRequired[list[str]]
    expiresIn: NotRequired[int]
    emergency: NotRequired[bool]

Replacement: TypeAlias = "ReplacementText | ReplacementMask | ReplacementHash | ReplacementPseudonym | ReplacementToken | ReplacementFpe | ReplacementSurrogate | ReplacementDateShift | ReplacementRemove | ReplacementSuppress | ReplacementGeneralise"

class ReplacementDateShiftDateShiftDays(TypedDict):
    min: int
    max: int

class ReplacementDateShiftDateShift(TypedDict):
    days: NotRequired[ReplacementDateShiftDateShiftDays]
    keep: NotRequired[Literal["weekday"]]
    locale: NotRequired[str]
    order: NotRequired[Literal["DMY", "MDY", "YMD"]]
    scope: NotRequired[Literal["document", "job", "project", "deployment"]]
    by: NotRequired[ReplacementDateShiftByColumn | ReplacementDateShiftByRule]

class ReplacementDateShift(TypedDict):
    dateShift: ReplacementDateShiftDateShift

class ReplacementDateShiftByColumn(TypedDict):
    column: str

class ReplacementDateShiftByRule(TypedDict):
    rule: str

class ReplacementFpeFpeKeep(TypedDict):
    first: NotRequired[int]
    last: NotRequired[int]

ReplacementFpeFpe = TypedDict("ReplacementFpeFpe", {"alphabet": "NotRequired[str]", "keep": "NotRequired[ReplacementFpeFpeKeep]", "check": "NotRequired[str]", "otherwise": "NotRequired[Literal[\"fail\", \"token\", \"suppress\"]]", "scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "as": "NotRequired[str]"})

class ReplacementFpe(TypedDict):
    fpe: ReplacementFpeFpe

class ReplacementGeneralise(TypedDict):
    generalise: Generalisation

class ReplacementHashHash(TypedDict):
    pass

class ReplacementHash(TypedDict):
    hash: ReplacementHashHash

ReplacementInput: TypeAlias = "ReplacementInputText | ReplacementInputMask | ReplacementInputHash | ReplacementInputPseudonym | ReplacementInputToken | ReplacementInputFpe | ReplacementInputSurrogate | ReplacementInputDateShift | ReplacementInputRemove | ReplacementInputSuppress | ReplacementInputGeneralise"

class ReplacementInputDateShiftDateShiftDays(TypedDict):
    min: int
    max: int

class ReplacementInputDateShiftDateShift(TypedDict):
    days: NotRequired[ReplacementInputDateShiftDateShiftDays]
    keep: NotRequired[Literal["weekday"]]
    locale: NotRequired[str]
    order: NotRequired[Literal["DMY", "MDY", "YMD"]]
    scope: NotRequired[Literal["document", "job", "project", "deployment"]]
    by: NotRequired[ReplacementInputDateShiftByColumn | ReplacementInputDateShiftByRule]

class ReplacementInputDateShift(TypedDict):
    dateShift: ReplacementInputDateShiftDateShift

class ReplacementInputDateShiftByColumn(TypedDict):
    column: str

class ReplacementInputDateShiftByRule(TypedDict):
    rule: str

class ReplacementInputFpeFpeKeep(TypedDict):
    first: NotRequired[int]
    last: NotRequired[int]

ReplacementInputFpeFpe = TypedDict("ReplacementInputFpeFpe", {"alphabet": "NotRequired[str]", "keep": "NotRequired[ReplacementInputFpeFpeKeep]", "check": "NotRequired[str]", "otherwise": "NotRequired[Literal[\"fail\", \"token\", \"suppress\"]]", "scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "as": "NotRequired[str]"})

class ReplacementInputFpe(TypedDict):
    fpe: ReplacementInputFpeFpe

class ReplacementInputGeneralise(TypedDict):
    generalise: Generalisation

class ReplacementInputHashHash(TypedDict):
    pass

class ReplacementInputHash(TypedDict):
    hash: ReplacementInputHashHash

class ReplacementInputMaskMask(TypedDict):
    char: NotRequired[str]
    keepFirst: NotRequired[int]
    keepLast: NotRequired[int]

class ReplacementInputMask(TypedDict):
    mask: ReplacementInputMaskMask

ReplacementInputPseudonymPseudonym = TypedDict("ReplacementInputPseudonymPseudonym", {"scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "as": "NotRequired[str]"})

class ReplacementInputPseudonym(TypedDict):
    pseudonym: ReplacementInputPseudonymPseudonym

class ReplacementInputRemoveRemove(TypedDict):
    pass

class ReplacementInputRemove(TypedDict):
    remove: ReplacementInputRemoveRemove

class ReplacementInputSuppressSuppress(TypedDict):
    pass

class ReplacementInputSuppress(TypedDict):
    suppress: ReplacementInputSuppressSuppress

ReplacementInputSurrogateSurrogate = TypedDict("ReplacementInputSurrogateSurrogate", {"as": "NotRequired[str]", "scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "checkDigit": "NotRequired[Literal[\"valid\", \"invalid\"]]", "locale": "NotRequired[str]", "keep": "NotRequired[list[Literal[\"domain\", \"issuer\"]]]"})

class ReplacementInputSurrogate(TypedDict):
    surrogate: ReplacementInputSurrogateSurrogate

class ReplacementInputText(TypedDict):
    text: str

ReplacementInputTokenToken = TypedDict("ReplacementInputTokenToken", {"scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "as": "NotRequired[str]"})

class ReplacementInputToken(TypedDict):
    token: ReplacementInputTokenToken

class ReplacementMaskMask(TypedDict):
    char: str
    keepFirst: int
    keepLast: int

class ReplacementMask(TypedDict):
    mask: ReplacementMaskMask

ReplacementPseudonymPseudonym = TypedDict("ReplacementPseudonymPseudonym", {"scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "as": "NotRequired[str]"})

class ReplacementPseudonym(TypedDict):
    pseudonym: ReplacementPseudonymPseudonym

class ReplacementRemoveRemove(TypedDict):
    pass

class ReplacementRemove(TypedDict):
    remove: ReplacementRemoveRemove

class ReplacementSuppressSuppress(TypedDict):
    pass

class ReplacementSuppress(TypedDict):
    suppress: ReplacementSuppressSuppress

ReplacementSurrogateSurrogate = TypedDict("ReplacementSurrogateSurrogate", {"as": "NotRequired[str]", "scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "checkDigit": "NotRequired[Literal[\"valid\", \"invalid\"]]", "locale": "NotRequired[str]", "keep": "NotRequired[list[Literal[\"domain\", \"issuer\"]]]"})

class ReplacementSurrogate(TypedDict):
    surrogate: ReplacementSurrogateSurrogate

class ReplacementText(TypedDict):
    text: str

ReplacementTokenToken = TypedDict("ReplacementTokenToken", {"scope": "NotRequired[Literal[\"document\", \"job\", \"project\", \"deployment\"]]", "as": "NotRequired[str]"})

class ReplacementToken(TypedDict):
    token: ReplacementTokenToken

class RestoreReplyTextsItemAlteredItem(TypedDict):
    found: str
    placeholder: str

class RestoreReplyTextsItem(TypedDict):
    text: str
    restored: int
    altered: list[RestoreReplyTextsItemAlteredItem]
    unknown: list[str]

class RestoreReply(TypedDict):
    texts: list[RestoreReplyTextsItem]

class RestoreRequestSession(TypedDict):
    sealed: str

class RestoreRequest(TypedDict):
    texts: list[str]
    session: RestoreRequestSession
    writing: NotRequired[Literal["text", "json"]]

class ReviewApprovalsItem(TypedDict):
    userId: str
    at: str

class Review(TypedDict):
    state: Literal["requested", "preparing", "waiting", "releasing", "released", "rejected", "expired"]
    approvers: int
    expiresInDays: int
    deadline: str | None
    version: int
    approvals: list[ReviewApprovalsItem]
    round: int
    gone: int

class ReviewCreate(TypedDict):
    approvers: int
    expiresInDays: int

class ReviewCreateInput(TypedDict):
    approvers: NotRequired[int]
    expiresInDays: NotRequired[int]

class RiskRequire(TypedDict):
    k: NotRequired[int]
    distinctL: NotRequired[int]
    entropyL: NotRequired[float]
    t: NotRequired[float]
    suppressAtMost: float

class Risk(TypedDict):
    quasiIdentifiers: list[str]
    sensitive: list[str]
    threshold: float
    require: NotRequired[RiskRequire]

class RiskInputRequire(TypedDict):
    k: NotRequired[int]
    distinctL: NotRequired[int]
    entropyL: NotRequired[float]
    t: NotRequired[float]
    suppressAtMost: NotRequired[float]

class RiskInput(TypedDict):
    quasiIdentifiers: list[str]
    sensitive: NotRequired[list[str]]
    threshold: NotRequired[float]
    require: NotRequired[RiskInputRequire]

class Role(TypedDict):
    id: str
    name: str
    description: str
    permissions: list[str]
    quota: NotRequired[Quota]
    builtIn: bool
    createdAt: str
    updatedAt: str

class RoleChanges(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    permissions: NotRequired[list[str]]
    quota: NotRequired[Quota]

class RoleCreate(TypedDict):
    name: str
    description: NotRequired[str]
    permissions: list[str]
    quota: NotRequired[Quota]

Rule: TypeAlias = "RuleRegex | RuleAimodel | RuleList"

class RuleAimodelConfig(TypedDict):
    aiModelRuleConfig: AiModelRuleConfig

class RuleAimodel(TypedDict):
    id: str
    name: str
    description: str
    createdAt: str
    updatedAt: str
    type: Literal["AIMODEL"]
    config: RuleAimodelConfig

class RuleChanges(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    type: NotRequired[Literal["REGEX", "AIMODEL", "LIST"]]
    config: NotRequired[RuleChangesConfigRegexRuleConfig | RuleChangesConfigAiModelRuleConfig | RuleChangesConfigListRuleConfig]

class RuleChangesConfigAiModelRuleConfig(TypedDict):
    aiModelRuleConfig: AiModelRuleConfigInput

class RuleChangesConfigListRuleConfig(TypedDict):
    listRuleConfig: ListRuleConfig

class RuleChangesConfigRegexRuleConfig(TypedDict):
    regexRuleConfig: RegexRuleConfigInput

RuleCreate: TypeAlias = "RuleCreateRegex | RuleCreateAimodel | RuleCreateList"

class RuleCreateAimodelConfig(TypedDict):
    aiModelRuleConfig: AiModelRuleConfig

class RuleCreateAimodel(TypedDict):
    name: str
    description: str
    type: Literal["AIMODEL"]
    config: RuleCreateAimodelConfig

RuleCreateInput: TypeAlias = "RuleCreateInputRegex | RuleCreateInputAimodel | RuleCreateInputList"

class RuleCreateInputAimodelConfig(TypedDict):
    aiModelRuleConfig: AiModelRuleConfigInput

class RuleCreateInputAimodel(TypedDict):
    name: str
    description: NotRequired[str]
    type: Literal["AIMODEL"]
    config: RuleCreateInputAimodelConfig

class RuleCreateInputListConfig(TypedDict):
    listRuleConfig: ListRuleConfig

class RuleCreateInputList(TypedDict):
    name: str
    description: NotRequired[str]
    type: Literal["LIST"]
    config: RuleCreateInputListConfig

class RuleCreateInputRegexConfig(TypedDict):
    regexRuleConfig: RegexRuleConfigInput

class RuleCreateInputRegex(TypedDict):
    name: str
    description: NotRequired[str]
    type: Literal["REGEX"]
    config: RuleCreateInputRegexConfig

class RuleCreateListConfig(TypedDict):
    listRuleConfig: ListRuleConfig

class RuleCreateList(TypedDict):
    name: str
    description: str
    type: Literal["LIST"]
    config: RuleCreateListConfig

class RuleCreateRegexConfig(TypedDict):
    regexRuleConfig: RegexRuleConfig

class RuleCreateRegex(TypedDict):
    name: str
    description: str
    type: Literal["REGEX"]
    config: RuleCreateRegexConfig

class RuleEntry(TypedDict):
    ruleId: str
    replacement: Replacement
    columns: NotRequired[list[str]]
    replace: NotRequired[Literal["cell"]]

class RuleEntryInput(TypedDict):
    ruleId: str
    replacement: ReplacementInput
    columns: NotRequired[list[str]]
    replace: NotRequired[Literal["cell"]]

class RuleFinding(TypedDict):
    rule: int
    ruleId: NotRequired[str]
    name: str
    start: int
    end: int
    label: str
    score: float
    counts: bool
    reason: Reason
    preview: NotRequired[str | None]

class RuleListConfig(TypedDict):
    listRuleConfig: ListRuleConfig

class RuleList(TypedDict):
    id: str
    name: str
    description: str
    createdAt: str
    updatedAt: str
    type: Literal["LIST"]
    config: RuleListConfig

class RuleRegexConfig(TypedDict):
    regexRuleConfig: RegexRuleConfig

class RuleRegex(TypedDict):
    id: str
    name: str
    description: str
    createdAt: str
    updatedAt: str
    type: Literal["REGEX"]
    config: RuleRegexConfig

class RuleTest(TypedDict):
    text: str
    rules: list[RuleTestRulesRuleId | RuleTestRulesRegex | RuleTestRulesAimodel | RuleTestRulesList]

class RuleTestRulesAimodelConfig(TypedDict):
    aiModelRuleConfig: AiModelRuleConfigInput

class RuleTestRulesAimodel(TypedDict):
    name: NotRequired[str]
    type: Literal["AIMODEL"]
    config: RuleTestRulesAimodelConfig
    replacement: NotRequired[ReplacementInput]

class RuleTestRulesListConfig(TypedDict):
    listRuleConfig: ListRuleConfig

class RuleTestRulesList(TypedDict):
    name: NotRequired[str]
    type: Literal["LIST"]
    config: RuleTestRulesListConfig
    replacement: NotRequired[ReplacementInput]

class RuleTestRulesRegexConfig(TypedDict):
    regexRuleConfig: RegexRuleConfigInput

class RuleTestRulesRegex(TypedDict):
    name: NotRequired[str]
    type: Literal["REGEX"]
    config: RuleTestRulesRegexConfig
    replacement: NotRequired[ReplacementInput]

class RuleTestRulesRuleId(TypedDict):
    ruleId: str
    replacement: NotRequired[ReplacementInput]

class Schedule(TypedDict):
    id: str
    name: str
    description: str
    cron: str | None
    rate: str | None
    timezone: str
    enabled: bool
    sourceId: str
    folder: NotRequired[str]
    files: NotRequired[str]
    settleSeconds: NotRequired[int]
    tables: NotRequired[list[str]]
    workflowId: str | None
    presetId: str | None
    plan: list[PlanEntry] | None
    mode: JobMode
    deliver: ScheduledDelivery | None
    nextRunAt: str | None
    lastRunAt: str | None
    createdAt: str
    updatedAt: str

class ScheduleChanges(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    cron: NotRequired[str]
    rate: NotRequired[str]
    timezone: NotRequired[str]
    enabled: NotRequired[bool]
    folder: NotRequired[str]
    files: NotRequired[str]
    settleSeconds: NotRequired[int]
    tables: NotRequired[list[str]]
    workflowId: NotRequired[str | None]
    presetId: NotRequired[str | None]
    plan: NotRequired[list[PlanEntry] | None]
    mode: NotRequired[JobMode]
    deliver: NotRequired[ScheduledDeliveryInput | None]

class ScheduleCreate(TypedDict):
    name: str
    description: NotRequired[str]
    cron: NotRequired[str]
    rate: NotRequired[str]
    timezone: NotRequired[str]
    enabled: NotRequired[bool]
    sourceId: str
    folder: NotRequired[str]
    files: NotRequired[str]
    settleSeconds: NotRequired[int]
    tables: NotRequired[list[str]]
    workflowId: NotRequired[str | None]
    presetId: NotRequired[str | None]
    plan: NotRequired[list[PlanEntry] | None]
    mode: NotRequired[JobMode]
    deliver: NotRequired[ScheduledDeliveryInput | None]

class ScheduleRunCounts(TypedDict):
    taken: int
    returned: int
    parked: int
    succeeded: int
    delivered: int

class ScheduleRun(TypedDict):
    id: str
    scheduleId: str
    trigger: Literal["schedule", "manual", "arrival"]
    plannedAt: str
    status: Literal["IN_PROGRESS", "SUCCEEDED", "FAILED"]
    step: Literal["taking", "loading", "executing", "delivering", "ending"] | None
    jobId: str | None
    counts: ScheduleRunCounts
    errors: list[JobError]
    createdAt: str
    updatedAt: str
    finishedAt: str | None

class ScheduledDelivery(TypedDict):
    sourceId: str
    mode: Literal["create", "replace", "update"]
    folder: NotRequired[str]
    types: Literal["source", "text"]

class ScheduledDeliveryInput(TypedDict):
    sourceId: str
    mode: NotRequired[Literal["create", "replace", "update"]]
    folder: NotRequired[str]
    types: NotRequired[Literal["source", "text"]]

class ServiceAccountWorkloadsItem(TypedDict):
    issuer: str
    audience: str
    subject: NotRequired[str]
    claims: NotRequired[dict[str, str | bool]]
    algorithms: list[Literal["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"]]
    maxAgeSeconds: int
    singleUse: bool

class ServiceAccountKeysItem(TypedDict):
    id: str
    createdAt: str
    expiresAt: str
    revokedAt: str | None

class ServiceAccount(TypedDict):
    id: str
    name: str
    description: str
    role: str
    permissions: list[str]
    networks: list[str]
    workloads: list[ServiceAccountWorkloadsItem]
    blocked: bool
    keys: list[ServiceAccountKeysItem]
    createdAt: str
    updatedAt: str

class ServiceAccountChanges(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    role: NotRequired[str]
    permissions: NotRequired[list[str]]
    networks: NotRequired[list[str]]
    workloads: NotRequired[list[Workload]]
    blocked: NotRequired[bool]

class ServiceAccountCreate(TypedDict):
    name: str
    description: NotRequired[str]
    role: str
    permissions: list[str]
    networks: NotRequired[list[str]]
    workloads: NotRequired[list[Workload]]

Source: TypeAlias = "SourceLocalAsset | SourceSiteLibrary | SourceCloudDrive | SourceFtpSftp | SourceDbEngine1 | SourceDbEngine2 | SourceDbEngine3 | SourceDbEngine4 | SourceDbEngine5"

class SourceChanges(TypedDict):
    name: NotRequired[str]
    config: NotRequired[dict[str, Any]]

class SourceCloudDrive(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["CLOUD_DRIVE"]
    config: SourceCloudDriveConfigOnedrive | SourceCloudDriveConfigGoogleDrive | SourceCloudDriveConfigS3

class SourceCloudDriveConfigGoogleDrive(TypedDict):
    provider: Literal["google_drive"]
    client_email: str
    subject: NotRequired[str]
    drive_id: NotRequired[str]
    folder_id: NotRequired[str]

class SourceCloudDriveConfigOnedrive(TypedDict):
    provider: Literal["onedrive"]
    tenant_id: str
    client_id: str
    user: str
    folder: NotRequired[str]

class SourceCloudDriveConfigS3(TypedDict):
    provider: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    endpoint: NotRequired[str]
    access_key_id: str

SourceCreate: TypeAlias = "SourceCreateLocalAsset | SourceCreateSiteLibrary | SourceCreateCloudDrive | SourceCreateFtpSftp | SourceCreateDbEngine1 | SourceCreateDbEngine2 | SourceCreateDbEngine3 | SourceCreateDbEngine4 | SourceCreateDbEngine5"

class SourceCreateCloudDrive(TypedDict):
    name: str
    kind: Literal["CLOUD_DRIVE"]
    config: SourceCreateCloudDriveConfigOnedrive | SourceCreateCloudDriveConfigGoogleDrive | SourceCreateCloudDriveConfigS3

class SourceCreateCloudDriveConfigGoogleDrive(TypedDict):
    provider: Literal["google_drive"]
    client_email: str
    subject: NotRequired[str]
    drive_id: NotRequired[str]
    folder_id: NotRequired[str]
    private_key: str

class SourceCreateCloudDriveConfigOnedrive(TypedDict):
    provider: Literal["onedrive"]
    tenant_id: str
    client_id: str
    user: str
    folder: NotRequired[str]
    client_secret: str

class SourceCreateCloudDriveConfigS3(TypedDict):
    provider: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    endpoint: NotRequired[str]
    access_key_id: str
    secret_access_key: str
    session_token: NotRequired[str]

class SourceCreateDbEngine1ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceCreateDbEngine1Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceCreateDbEngine1ConfigTls]
    database: str
    schemas: NotRequired[list[str]]
    password: str
    client_key: NotRequired[str]

class SourceCreateDbEngine1(TypedDict):
    name: str
    kind: Literal["DB_ENGINE_1"]
    config: SourceCreateDbEngine1Config

class SourceCreateDbEngine2ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceCreateDbEngine2Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceCreateDbEngine2ConfigTls]
    database: str
    password: str
    client_key: NotRequired[str]

class SourceCreateDbEngine2(TypedDict):
    name: str
    kind: Literal["DB_ENGINE_2"]
    config: SourceCreateDbEngine2Config

class SourceCreateDbEngine3ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceCreateDbEngine3Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceCreateDbEngine3ConfigTls]
    database: str
    password: str
    client_key: NotRequired[str]

class SourceCreateDbEngine3(TypedDict):
    name: str
    kind: Literal["DB_ENGINE_3"]
    config: SourceCreateDbEngine3Config

class SourceCreateDbEngine4ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceCreateDbEngine4Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceCreateDbEngine4ConfigTls]
    database: str
    schemas: NotRequired[list[str]]
    password: str
    client_key: NotRequired[str]

class SourceCreateDbEngine4(TypedDict):
    name: str
    kind: Literal["DB_ENGINE_4"]
    config: SourceCreateDbEngine4Config

class SourceCreateDbEngine5ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceCreateDbEngine5Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceCreateDbEngine5ConfigTls]
    service_name: str
    schemas: NotRequired[list[str]]
    password: str
    client_key: NotRequired[str]

class SourceCreateDbEngine5(TypedDict):
    name: str
    kind: Literal["DB_ENGINE_5"]
    config: SourceCreateDbEngine5Config

class SourceCreateFtpSftp(TypedDict):
    name: str
    kind: Literal["FTP/SFTP"]
    config: SourceCreateFtpSftpConfigSftp | SourceCreateFtpSftpConfigFtps | SourceCreateFtpSftpConfigFtp

class SourceCreateFtpSftpConfigFtp(TypedDict):
    protocol: Literal["ftp"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    allow_plaintext: bool
    password: str

class SourceCreateFtpSftpConfigFtps(TypedDict):
    protocol: Literal["ftps", "ftps_implicit"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    ca_pem: NotRequired[str]
    password: str

class SourceCreateFtpSftpConfigSftp(TypedDict):
    protocol: Literal["sftp"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    host_key_fingerprints: NotRequired[list[str]]
    password: NotRequired[str]
    private_key: NotRequired[str]
    passphrase: NotRequired[str]

class SourceCreateLocalAssetConfig(TypedDict):
    prefix: NotRequired[str]

class SourceCreateLocalAsset(TypedDict):
    name: str
    kind: Literal["LOCAL_ASSET"]
    config: SourceCreateLocalAssetConfig

class SourceCreateSiteLibraryConfig(TypedDict):
    site_url: str
    client_id: str
    tenant_id: NotRequired[str]
    library: NotRequired[str]
    folder: NotRequired[str]
    client_secret: str

class SourceCreateSiteLibrary(TypedDict):
    name: str
    kind: Literal["SITE_LIBRARY"]
    config: SourceCreateSiteLibraryConfig

class SourceDbEngine1ConfigTls(TypedDict):
    mode: Literal["verify-full", "require", "disable"]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceDbEngine1Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: SourceDbEngine1ConfigTls
    database: str
    schemas: NotRequired[list[str]]

class SourceDbEngine1(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["DB_ENGINE_1"]
    config: SourceDbEngine1Config

class SourceDbEngine2ConfigTls(TypedDict):
    mode: Literal["verify-full", "require", "disable"]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceDbEngine2Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: SourceDbEngine2ConfigTls
    database: str

class SourceDbEngine2(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["DB_ENGINE_2"]
    config: SourceDbEngine2Config

class SourceDbEngine3ConfigTls(TypedDict):
    mode: Literal["verify-full", "require", "disable"]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceDbEngine3Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: SourceDbEngine3ConfigTls
    database: str

class SourceDbEngine3(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["DB_ENGINE_3"]
    config: SourceDbEngine3Config

class SourceDbEngine4ConfigTls(TypedDict):
    mode: Literal["verify-full", "require", "disable"]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceDbEngine4Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: SourceDbEngine4ConfigTls
    database: str
    schemas: NotRequired[list[str]]

class SourceDbEngine4(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["DB_ENGINE_4"]
    config: SourceDbEngine4Config

class SourceDbEngine5ConfigTls(TypedDict):
    mode: Literal["verify-full", "require", "disable"]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceDbEngine5Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: SourceDbEngine5ConfigTls
    service_name: str
    schemas: NotRequired[list[str]]

class SourceDbEngine5(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["DB_ENGINE_5"]
    config: SourceDbEngine5Config

class SourceEntry(TypedDict):
    name: str
    type: Literal["file", "folder", "table", "view"]
    assetType: NotRequired[Literal["TABLE", "DOCUMENT"]]
    size: NotRequired[int]
    rows: NotRequired[int]
    modifiedAt: NotRequired[str]
    supported: bool

class SourceFtpSftp(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["FTP/SFTP"]
    config: SourceFtpSftpConfigSftp | SourceFtpSftpConfigFtps | SourceFtpSftpConfigFtp

class SourceFtpSftpConfigFtp(TypedDict):
    protocol: Literal["ftp"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    allow_plaintext: bool

class SourceFtpSftpConfigFtps(TypedDict):
    protocol: Literal["ftps", "ftps_implicit"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    ca_pem: NotRequired[str]

class SourceFtpSftpConfigSftp(TypedDict):
    protocol: Literal["sftp"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    host_key_fingerprints: NotRequired[list[str]]

class SourceLocalAssetConfig(TypedDict):
    prefix: NotRequired[str]

class SourceLocalAsset(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["LOCAL_ASSET"]
    config: SourceLocalAssetConfig

class SourceSiteLibraryConfig(TypedDict):
    site_url: str
    client_id: str
    tenant_id: NotRequired[str]
    library: NotRequired[str]
    folder: NotRequired[str]

class SourceSiteLibrary(TypedDict):
    id: str
    name: str
    secrets: dict[str, bool]
    createdAt: str
    updatedAt: str
    kind: Literal["SITE_LIBRARY"]
    config: SourceSiteLibraryConfig

SourceTest: TypeAlias = "SourceTestLocalAsset | SourceTestSiteLibrary | SourceTestCloudDrive | SourceTestFtpSftp | SourceTestDbEngine1 | SourceTestDbEngine2 | SourceTestDbEngine3 | SourceTestDbEngine4 | SourceTestDbEngine5 | SourceTestSourceId"

class SourceTestCloudDrive(TypedDict):
    kind: Literal["CLOUD_DRIVE"]
    config: SourceTestCloudDriveConfigOnedrive | SourceTestCloudDriveConfigGoogleDrive | SourceTestCloudDriveConfigS3

class SourceTestCloudDriveConfigGoogleDrive(TypedDict):
    provider: Literal["google_drive"]
    client_email: str
    subject: NotRequired[str]
    drive_id: NotRequired[str]
    folder_id: NotRequired[str]
    private_key: str

class SourceTestCloudDriveConfigOnedrive(TypedDict):
    provider: Literal["onedrive"]
    tenant_id: str
    client_id: str
    user: str
    folder: NotRequired[str]
    client_secret: str

class SourceTestCloudDriveConfigS3(TypedDict):
    provider: Literal["s3"]
    bucket: str
    region: str
    prefix: NotRequired[str]
    endpoint: NotRequired[str]
    access_key_id: str
    secret_access_key: str
    session_token: NotRequired[str]

class SourceTestDbEngine1ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceTestDbEngine1Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceTestDbEngine1ConfigTls]
    database: str
    schemas: NotRequired[list[str]]
    password: str
    client_key: NotRequired[str]

class SourceTestDbEngine1(TypedDict):
    kind: Literal["DB_ENGINE_1"]
    config: SourceTestDbEngine1Config

class SourceTestDbEngine2ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceTestDbEngine2Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceTestDbEngine2ConfigTls]
    database: str
    password: str
    client_key: NotRequired[str]

class SourceTestDbEngine2(TypedDict):
    kind: Literal["DB_ENGINE_2"]
    config: SourceTestDbEngine2Config

class SourceTestDbEngine3ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceTestDbEngine3Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceTestDbEngine3ConfigTls]
    database: str
    password: str
    client_key: NotRequired[str]

class SourceTestDbEngine3(TypedDict):
    kind: Literal["DB_ENGINE_3"]
    config: SourceTestDbEngine3Config

class SourceTestDbEngine4ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceTestDbEngine4Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceTestDbEngine4ConfigTls]
    database: str
    schemas: NotRequired[list[str]]
    password: str
    client_key: NotRequired[str]

class SourceTestDbEngine4(TypedDict):
    kind: Literal["DB_ENGINE_4"]
    config: SourceTestDbEngine4Config

class SourceTestDbEngine5ConfigTls(TypedDict):
    mode: NotRequired[Literal["verify-full", "require", "disable"]]
    ca_pem: NotRequired[str]
    client_cert: NotRequired[str]

class SourceTestDbEngine5Config(TypedDict):
    host: str
    port: NotRequired[int]
    username: str
    tls: NotRequired[SourceTestDbEngine5ConfigTls]
    service_name: str
    schemas: NotRequired[list[str]]
    password: str
    client_key: NotRequired[str]

class SourceTestDbEngine5(TypedDict):
    kind: Literal["DB_ENGINE_5"]
    config: SourceTestDbEngine5Config

class SourceTestFtpSftp(TypedDict):
    kind: Literal["FTP/SFTP"]
    config: SourceTestFtpSftpConfigSftp | SourceTestFtpSftpConfigFtps | SourceTestFtpSftpConfigFtp

class SourceTestFtpSftpConfigFtp(TypedDict):
    protocol: Literal["ftp"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    allow_plaintext: bool
    password: str

class SourceTestFtpSftpConfigFtps(TypedDict):
    protocol: Literal["ftps", "ftps_implicit"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    ca_pem: NotRequired[str]
    password: str

class SourceTestFtpSftpConfigSftp(TypedDict):
    protocol: Literal["sftp"]
    host: str
    port: NotRequired[int]
    username: str
    base_path: NotRequired[str]
    host_key_fingerprints: NotRequired[list[str]]
    password: NotRequired[str]
    private_key: NotRequired[str]
    passphrase: NotRequired[str]

class SourceTestLocalAssetConfig(TypedDict):
    prefix: NotRequired[str]

class SourceTestLocalAsset(TypedDict):
    kind: Literal["LOCAL_ASSET"]
    config: SourceTestLocalAssetConfig

class SourceTestResultChecksItem(TypedDict):
    name: Literal["connect", "encryption", "login", "read"]
    ok: bool
    msg: str

class SourceTestResultPin(TypedDict):
    host_key_fingerprints: list[str]

class SourceTestResult(TypedDict):
    ok: bool
    latencyMs: int
    checks: list[SourceTestResultChecksItem]
    problem: NotRequired[str]
    pin: NotRequired[SourceTestResultPin]
    warnings: list[str]

class SourceTestSiteLibraryConfig(TypedDict):
    site_url: str
    client_id: str
    tenant_id: NotRequired[str]
    library: NotRequired[str]
    folder: NotRequired[str]
    client_secret: str

class SourceTestSiteLibrary(TypedDict):
    kind: Literal["SITE_LIBRARY"]
    config: SourceTestSiteLibraryConfig

class SourceTestSourceId(TypedDict):
    sourceId: str
    config: NotRequired[dict[str, Any]]

class TableOptions(TypedDict):
    encoding: NotRequired[str]
    delimiter: NotRequired[str]
    quote: NotRequired[str]
    escape: NotRequired[str]
    header: NotRequired[bool]

class TakenDecision(TypedDict):
    n: int
    userId: str
    at: str
    action: Literal["accept", "reject", "relabel", "add"]
    assetId: str | None
    findingId: str | None
    value: str | None
    place: TakenDecisionPlaceTextId | None
    box: TakenDecisionBoxPage | None
    label: str | None
    undone: bool
    lapsed: bool

class TakenDecisionBoxPage(TypedDict):
    page: int
    left: float
    top: float
    right: float
    bottom: float

class TakenDecisionPlaceTextId(TypedDict):
    textId: str
    start: int
    end: int

class TextFindingReplacement(TypedDict):
    start: int
    end: int

class TextFinding(TypedDict):
    start: int
    end: int
    label: str
    rule: int
    ruleId: NotRequired[str]
    name: str
    score: float
    reason: Reason
    replacement: TextFindingReplacement

class TextsReplyTextsItem(TypedDict):
    text: str
    findings: list[TextFinding]

class TextsReplyMessagesItem(TypedDict):
    role: str
    content: str
    findings: list[TextFinding]

class TextsReplySession(TypedDict):
    sealed: str
    expiresAt: str

class TextsReply(TypedDict):
    texts: NotRequired[list[TextsReplyTextsItem]]
    messages: NotRequired[list[TextsReplyMessagesItem]]
    session: NotRequired[TextsReplySession]

class TextsRequestMessagesItem(TypedDict):
    role: str
    content: str

class TextsRequestSession(TypedDict):
    sealed: NotRequired[str]

class TextsRequest(TypedDict):
    texts: NotRequired[list[str]]
    messages: NotRequired[list[TextsRequestMessagesItem]]
    workflowId: NotRequired[str]
    presetId: NotRequired[str]
    rules: NotRequired[list[TextsRequestRulesRuleId | TextsRequestRulesRegex | TextsRequestRulesAimodel]]
    session: NotRequired[TextsRequestSession]

class TextsRequestRulesAimodelConfig(TypedDict):
    aiModelRuleConfig: AiModelRuleConfigInput

class TextsRequestRulesAimodel(TypedDict):
    name: NotRequired[str]
    type: Literal["AIMODEL"]
    config: TextsRequestRulesAimodelConfig
    replacement: NotRequired[ReplacementInput]

class TextsRequestRulesRegexConfig(TypedDict):
    regexRuleConfig: RegexRuleConfigInput

class TextsRequestRulesRegex(TypedDict):
    name: NotRequired[str]
    type: Literal["REGEX"]
    config: TextsRequestRulesRegexConfig
    replacement: NotRequired[ReplacementInput]

class TextsRequestRulesRuleId(TypedDict):
    ruleId: str
    replacement: NotRequired[ReplacementInput]

class TokenExchange(TypedDict):
    grant_type: Literal["urn:ietf:params:oauth:grant-type:token-exchange"]
    client_id: str
    subject_token: str
    subject_token_type: Literal["urn:ietf:params:oauth:token-type:jwt", "urn:ietf:params:oauth:token-type:id_token"]
    requested_token_type: NotRequired[Literal["urn:ietf:params:oauth:token-type:access_token"]]
    scope: NotRequired[str]

class TokenKeyGenerationsItem(TypedDict):
    generation: int
    number: int
    fingerprint: str
    createdAt: str
    destroyedAt: str | None

class TokenKey(TypedDict):
    id: str
    ownerId: str
    name: str
    generation: int
    generations: list[TokenKeyGenerationsItem]
    createdAt: str
    updatedAt: str

class Tokens(TypedDict):
    access_token: str
    token_type: Literal["bearer"]
    expires_in: int
    refresh_token: NotRequired[str]
    password_change_required: NotRequired[bool]
    second_factor_setup_required: NotRequired[bool]

class UploadCreateFilesItem(TypedDict):
    filename: str
    size: int
    contentType: NotRequired[str]

class UploadCreate(TypedDict):
    name: str
    description: NotRequired[str]
    presetId: NotRequired[str]
    mode: NotRequired[JobMode]
    files: list[UploadCreateFilesItem]

UploadTicket: TypeAlias = "UploadTicketPut | UploadTicketMultipart"

class UploadTicketMultipartPartsItem(TypedDict):
    n: int
    url: str

class UploadTicketMultipart(TypedDict):
    method: Literal["MULTIPART"]
    partSize: int
    parts: list[UploadTicketMultipartPartsItem]
    expiresAt: str

class UploadTicketPut(TypedDict):
    method: Literal["PUT"]
    url: str
    headers: dict[str, str]
    expiresAt: str

class User(TypedDict):
    id: str
    name: str
    email: str
    role: str
    blocked: bool
    createdAt: str
    updatedAt: str

class UserChanges(TypedDict):
    name: NotRequired[str]
    email: NotRequired[str]
    role: NotRequired[str]

class ValueList(TypedDict):
    id: str
    name: str
    description: str
    entries: int
    createdAt: str
    updatedAt: str

class WaitingJobOwner(TypedDict):
    id: str
    name: str | None

class WaitingJob(TypedDict):
    id: str
    name: str
    owner: WaitingJobOwner
    assetCount: int
    startedAt: str | None
    review: Review

class Webhook(TypedDict):
    id: str
    name: str
    url: str
    events: list[str]
    scope: Literal["own", "all"]
    signing: Literal["hmac", "ed25519"]
    publicKey: str | None
    enabled: bool
    disabledBecause: Literal["gone", "failing"] | None
    failingSince: str | None
    previousKeyUntil: str | None
    createdAt: str
    updatedAt: str

class WebhookChanges(TypedDict):
    name: NotRequired[str]
    url: NotRequired[str]
    events: NotRequired[list[Literal["job.succeeded", "job.failed", "job.cancelled", "review.waiting", "load.failed", "delivery.succeeded", "delivery.failed", "schedule.failed", "reidentification.approved", "reidentification.rejected", "reidentification.opened", "user.blocked", "user.password_reset", "user.password_changed", "user.second_factor_changed", "user.identity_linked", "webhook.disabled", "job.*", "review.*", "load.*", "delivery.*", "schedule.*", "reidentification.*", "user.*", "webhook.*", "*"]]]
    enabled: NotRequired[bool]

class WebhookCreate(TypedDict):
    name: str
    url: str
    events: list[Literal["job.succeeded", "job.failed", "job.cancelled", "review.waiting", "load.failed", "delivery.succeeded", "delivery.failed", "schedule.failed", "reidentification.approved", "reidentification.rejected", "reidentification.opened", "user.blocked", "user.password_reset", "user.password_changed", "user.second_factor_changed", "user.identity_linked", "webhook.disabled", "job.*", "review.*", "load.*", "delivery.*", "schedule.*", "reidentification.*", "user.*", "webhook.*", "*"]]
    scope: NotRequired[Literal["own", "all"]]
    signing: NotRequired[Literal["hmac", "ed25519"]]
    enabled: NotRequired[bool]

class WebhookDelivery(TypedDict):
    id: str
    webhookId: str
    eventId: str
    type: str
    status: Literal["PENDING", "DELIVERED", "FAILED"]
    attempts: int
    responseStatus: int | None
    problem: str | None
    milliseconds: int | None
    nextAttemptAt: str | None
    lastAttemptAt: str | None
    createdAt: str
    updatedAt: str

class WebhookWithSecret(TypedDict):
    id: str
    name: str
    url: str
    events: list[str]
    scope: Literal["own", "all"]
    signing: Literal["hmac", "ed25519"]
    publicKey: str | None
    enabled: bool
    disabledBecause: Literal["gone", "failing"] | None
    failingSince: str | None
    previousKeyUntil: str | None
    createdAt: str
    updatedAt: str
    secret: str | None

class Workflow(TypedDict):
    id: str
    name: str
    description: str
    supportedAssetType: Literal["TABLE", "DOCUMENT"]
    config: WorkflowConfig
    createdAt: str
    updatedAt: str

class WorkflowChanges(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    supportedAssetType: NotRequired[Literal["TABLE", "DOCUMENT"]]
    config: NotRequired[WorkflowConfigInput]

class WorkflowConfigExclusions(TypedDict):
    lists: list[str]
    force: bool

class WorkflowConfig(TypedDict):
    rules: list[RuleEntry]
    project: NotRequired[str]
    exclusions: NotRequired[WorkflowConfigExclusions]
    risk: NotRequired[Risk]
    review: NotRequired[ReviewCreate]

class WorkflowConfigInputExclusions(TypedDict):
    lists: list[str]
    force: NotRequired[bool]

class WorkflowConfigInput(TypedDict):
    rules: list[RuleEntryInput]
    project: NotRequired[str]
    exclusions: NotRequired[WorkflowConfigInputExclusions]
    risk: NotRequired[RiskInput]
    review: NotRequired[ReviewCreateInput]

class WorkflowCreate(TypedDict):
    name: str
    description: NotRequired[str]
    supportedAssetType: Literal["TABLE", "DOCUMENT"]
    config: WorkflowConfigInput

class Workload(TypedDict):
    issuer: str
    audience: str
    subject: NotRequired[str]
    claims: NotRequired[dict[str, str | bool]]
    algorithms: NotRequired[list[Literal["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519"]]]
    maxAgeSeconds: NotRequired[int]
    singleUse: NotRequired[bool]

class AuthRefreshBody(TypedDict):
    refresh_token: NotRequired[str]

class AuthChangePasswordBody(TypedDict):
    currentPassword: str
    newPassword: str

class AuthChangePasswordReply(TypedDict):
    ok: bool

class AuthSetUpSecondFactorBody(TypedDict):
    currentPassword: str

class AuthSetUpSecondFactorReply(TypedDict):
    secret: str
    url: str

class AuthEnableSecondFactorBody(TypedDict):
    code: str

class AuthEnableSecondFactorReply(TypedDict):
    recoveryCodes: list[str]

class AuthDisableSecondFactorBody(TypedDict):
    code: str

class AuthDisableSecondFactorReply(TypedDict):
    ok: bool

class AuthMeReply(TypedDict):
    id: str
    name: str
    email: str
    role: str
    blocked: bool
    createdAt: str
    updatedAt: str
    permissions: list[str]
    secondFactor: NotRequired[bool]

class AuthLogoutReply(TypedDict):
    ok: bool

class IdentityProvidersReplyItem(TypedDict):
    name: str
    title: str

IdentityProvidersReply: TypeAlias = "list[IdentityProvidersReplyItem]"

class IdentityLogoutBody(TypedDict):
    logout_token: str

class IdentityLogoutReply(TypedDict):
    ok: bool

class IdentitySetSecretBody(TypedDict):
    secret: str | None

class IdentitySetSecretReply(TypedDict):
    ok: bool

class SourcesListBodySortItem(TypedDict):
    field: Literal["name", "kind", "createdAt", "updatedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class SourcesListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[SourcesListBodySortItem]]

SourcesListReply: TypeAlias = "list[Source]"

class AssetsUrlReply(TypedDict):
    url: str
    expiresAt: str
    name: str
    contentType: str
    size: int

class WorkflowsListBodySortItem(TypedDict):
    field: Literal["name", "supportedAssetType", "createdAt", "updatedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class WorkflowsListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[WorkflowsListBodySortItem]]

WorkflowsListReply: TypeAlias = "list[Workflow]"

PresetsListReply: TypeAlias = "list[PresetSummary]"

class RulesListBodySortItem(TypedDict):
    field: Literal["name", "type", "createdAt", "updatedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class RulesListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[RulesListBodySortItem]]

RulesListReply: TypeAlias = "list[Rule]"

class RulesTestReply(TypedDict):
    findings: list[RuleFinding]

class ListsListBodySortItem(TypedDict):
    field: Literal["name", "createdAt", "updatedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class ListsListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[ListsListBodySortItem]]

ListsListReply: TypeAlias = "list[ValueList]"

class ListsUpdateBody(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]

class ListsEntriesBodySortItem(TypedDict):
    field: Literal["value", "addedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class ListsEntriesBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[ListsEntriesBodySortItem]]

ListsEntriesReply: TypeAlias = "list[ListEntry]"

class ListsAddBodyEntriesItem(TypedDict):
    value: str
    match: NotRequired[Literal["word", "case", "exact", "inflected", "fuzzy", "pattern"]]
    until: NotRequired[str]
    why: NotRequired[str]

class ListsAddBody(TypedDict):
    entries: list[ListsAddBodyEntriesItem]

class ListsRemoveBodyEntriesItem(TypedDict):
    value: str
    match: Literal["word", "case", "exact", "inflected", "fuzzy", "pattern"]

class ListsRemoveBody(TypedDict):
    values: NotRequired[list[str]]
    entries: NotRequired[list[ListsRemoveBodyEntriesItem]]

class ListsLoadBody(TypedDict):
    assetId: str
    match: NotRequired[Literal["word", "case", "exact", "inflected", "fuzzy", "pattern"]]
    until: NotRequired[str]
    why: NotRequired[str]
    replace: NotRequired[bool]

ModelsListReply: TypeAlias = "list[Model]"

class JobsListBodySortItem(TypedDict):
    field: Literal["name", "status", "createdAt", "updatedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class JobsListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[JobsListBodySortItem]]

JobsListReply: TypeAlias = "list[JobSummary]"

class JobsUpdateBody(TypedDict):
    workflowId: NotRequired[str | None]
    presetId: NotRequired[str | None]
    plan: NotRequired[list[PlanEntry] | None]
    mode: NotRequired[JobMode]
    review: NotRequired[ReviewCreateInput | None]
    name: NotRequired[str]
    description: NotRequired[str]

class JobsStatusReplyProgress(TypedDict):
    assets: int
    done: int
    failed: int
    bytes: int | None
    bytesDone: int
    secondsLeft: int | None

class JobsStatusReply(TypedDict):
    id: str
    status: JobStatus
    progress: JobsStatusReplyProgress

class JobsAssetsBodySortItem(TypedDict):
    field: Literal["name", "type", "status", "size", "createdAt"]
    order: NotRequired[Literal["asc", "desc"]]

class JobsAssetsBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[JobsAssetsBodySortItem]]

JobsAssetsReply: TypeAlias = "list[Asset]"

class JobsRemoveAssetsBody(TypedDict):
    assetIds: NotRequired[list[str]]

class JobsDecisionsReply(TypedDict):
    version: int
    decisions: list[TakenDecision]

class JobsDecideBody(TypedDict):
    ifVersion: NotRequired[int]
    decisions: NotRequired[list[DecisionCreate]]
    undo: NotRequired[list[int]]

class JobsDecideReply(TypedDict):
    id: str
    review: Review

class JobsReleaseBody(TypedDict):
    version: int

class JobsReleaseReply(TypedDict):
    id: str
    status: JobStatus
    review: Review

class JobsRejectReviewReply(TypedDict):
    id: str
    status: JobStatus
    review: Review

ReviewsListReply: TypeAlias = "list[WaitingJob]"

UsersListReply: TypeAlias = "list[User]"

class UsersBlockBody(TypedDict):
    blocked: NotRequired[bool]

class UsersResetPasswordBody(TypedDict):
    password: NotRequired[str]

class UsersResetPasswordReply(TypedDict):
    id: str
    temporaryPassword: NotRequired[str]

RolesListReply: TypeAlias = "list[Role]"

PermissionsListReply: TypeAlias = "list[Permission]"

PermissionsCreateDefaultReply: TypeAlias = "list[Permission]"

ServiceAccountsListReply: TypeAlias = "list[ServiceAccount]"

class ServiceAccountsCreateKeyBody(TypedDict):
    expiresInDays: NotRequired[int]

class ServiceAccountsCreateKeyReply(TypedDict):
    id: str
    key: str
    createdAt: str
    expiresAt: str

class ServiceAccountsRevokeKeysBody(TypedDict):
    keyIds: NotRequired[list[str]]

class SchedulesListBodySortItem(TypedDict):
    field: Literal["name", "createdAt", "updatedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class SchedulesListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[SchedulesListBodySortItem]]

SchedulesListReply: TypeAlias = "list[Schedule]"

SchedulesRunsReply: TypeAlias = "list[ScheduleRun]"

SchedulesParkedReply: TypeAlias = "list[ParkedEntry]"

class SchedulesRetryBody(TypedDict):
    names: NotRequired[list[str]]

class SchedulesRetryReply(TypedDict):
    id: str
    released: int

class NotificationsListBodySortItem(TypedDict):
    field: Literal["createdAt", "kind", "read"]
    order: NotRequired[Literal["asc", "desc"]]

class NotificationsListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[NotificationsListBodySortItem]]

NotificationsListReply: TypeAlias = "list[Notification]"

WebhooksListReply: TypeAlias = "list[Webhook]"

class WebhooksRotateBody(TypedDict):
    overlapHours: NotRequired[int]

WebhooksDeliveriesReply: TypeAlias = "list[WebhookDelivery]"

TokenKeysListReply: TypeAlias = "list[TokenKey]"

class TokenKeysDestroyBody(TypedDict):
    generations: NotRequired[list[int]]

class ReidentificationsListBodySortItem(TypedDict):
    field: Literal["status", "createdAt", "updatedAt"]
    order: NotRequired[Literal["asc", "desc"]]

class ReidentificationsListBody(TypedDict):
    cursor: NotRequired[str]
    skip: NotRequired[int]
    limit: NotRequired[int]
    search: NotRequired[str]
    filters: NotRequired[dict[str, str | float | bool | list[str | float | bool]]]
    sort: NotRequired[list[ReidentificationsListBodySortItem]]

ReidentificationsListReply: TypeAlias = "list[Reidentification]"

class ReidentificationsApproveBody(TypedDict):
    labels: NotRequired[list[str]]

class AuditListBodyFilters(TypedDict):
    userId: NotRequired[str]
    operation: NotRequired[str]
    recordId: NotRequired[str]
    outcome: NotRequired[Literal["done", "repeated", "refused", "failed"]]

AuditListBody = TypedDict("AuditListBody", {"day": "NotRequired[str]", "shard": "NotRequired[int]", "from": "NotRequired[int]", "filters": "NotRequired[AuditListBodyFilters]", "skip": "NotRequired[int]", "limit": "NotRequired[int]"})

AuditListReply: TypeAlias = "list[AuditEntry]"

AuditHeadsReply: TypeAlias = "list[AuditHead]"

class AuditKeyReply(TypedDict):
    algorithm: Literal["ECDSA_SHA_256"]
    publicKey: str

class CertificatesKeysReply(TypedDict):
    keys: list[PublicJwk]

class TransparencyKeyReply(TypedDict):
    origin: str
    verifierKey: str

class TransparencyTileReply(TypedDict):
    url: str
    expiresAt: str

class TransparencyConsistencyReply(TypedDict):
    first: int
    second: int
    path: list[str]
