/**
 * The engine: takes a file and a plan of rules, and gives the file back in its own format with what the rules found
 * replaced, verified by a reader that shares no code with the writer. Knows no cloud and no network.
 */

export { type AnonymiseCall, type AnonymiseResult, anonymise } from './anonymise.ts'
export { mergeNameEdits, renamed } from './asset-name.ts'
export { missingColumns } from './columns/check.ts'
export { checkFields, type Fields } from './columns/field-names.ts'
export type { LoadList } from './detect/list-rules.ts'
export { type AssetFailure, assetFailures, EngineError } from './errors.ts'
export { numberedName } from './file-names.ts'
export { addLabels, byFrequency, type Finding, type LabelCount, mergeFindings } from './findings.ts'
export type { AssetType, Edit, Format, Input, Limits, Output } from './formats/format.ts'
export { describe, formats } from './formats/index.ts'
export { interchange, signatures, strangers } from './formats/signatures.ts'
export { memoryNumbering, memoryWorkspace } from './in-memory.ts'
export { bufferInput, bufferOutput, fileInput, fileOutput } from './input.ts'
export { defaultLimits } from './limits.ts'
export type { Match, Range, Reason, Replaced } from './match.ts'
export type { KnownPictures, PendingIn } from './ocr/cache.ts'
export { OcrPending } from './ocr/pending.ts'
export type { OcrResult } from './ocr/picture.ts'
export { ocrPages } from './ocr-pages.ts'
export { isNumbered, type Replacement, scopeOf } from './operators/index.ts'

export type { Scope, Secrets } from './operators/scope.ts'
export type { Plan, PlannedRule, RiskPlan } from './plan.ts'
export { mergeReports } from './reports.ts'
export { figuresOfTallies, type MeasuredRisk } from './risk/report.ts'
export { type Cutting, cutAsset, type Split, splitAsset } from './split.ts'
export { type AnonymisedText, anonymiseTexts, type TextsCall } from './texts.ts'
