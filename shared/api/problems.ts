import { sourceProblems } from './source-problems.ts'

/**
 * Every error `type` that the service returns, with its HTTP status and meaning. `docs/errors.md` is generated from it.
 */
export const problems = {
  // The shape of a request
  json_invalid: [422, 'The body is not JSON'],
  missing: [422, 'A required field is missing'],
  unknown_field: [422, 'The field or parameter is not part of the request'],
  invalid_type: [422, 'The value has the wrong type'],
  invalid_value: [422, 'The value is not one of those allowed'],
  invalid_format: [422, 'The value is not in the expected format'],
  invalid_union: [422, 'The value fits none of the allowed forms'],
  too_small: [422, 'The value is too small, short or few'],
  too_big: [422, 'The value is too large, long or many'],
  too_deep: [422, 'The body is nested too deeply'],
  conflicting_values: [422, 'Two values of the request exclude each other'],
  multipart_invalid: [422, 'The multipart form cannot be read'],
  config_mismatch: [422, 'The config does not belong to the type'],
  regex_syntax: [422, 'The pattern is not a valid regular expression'],
  regex_too_long: [422, 'The pattern is too long'],
  regex_empty_match: [422, 'The pattern matches the empty string'],
  regex_too_complex: [422, 'The pattern is too complex to run within bounds'],
  validator_unknown: [422, 'No checksum of this name exists'],
  entry_invalid: [422, 'A value cannot be looked for'],
  model_not_found: [422, 'No model of this id and version exists'],
  label_unknown: [422, 'The model finds no such label'],
  password_too_common: [422, 'The password is easy to guess: it is common, a pattern, or contains the name or address'],
  password_unchanged: [422, 'The new password is the same as the old one'],
  permission_unknown: [422, 'No permission of this name exists'],
  permission_for_people: [422, 'Service accounts cannot have this permission'],
  schedule_invalid: [422, 'The schedule has no time to run, or nothing to take, or would take its own results'],
  secret_kept_for_other_host: [422, 'The address changes, so the stored secret must be given again'],
  https_required: [422, 'The address must begin with https://'],
  // Who is calling
  not_authenticated: [401, 'The request has no bearer token'],
  invalid_token: [401, 'The bearer token is not valid'],
  token_expired: [401, 'The bearer token or its session has expired'],
  invalid_credentials: [401, 'E-mail address or password is wrong'],
  second_factor_required: [401, 'E-mail address and password are right, and a code of the second factor is needed'],
  invalid_code: [401, 'The code of the second factor is wrong, or was used before'],
  invalid_refresh_token: [401, 'The refresh token is not valid'],
  sign_on_refused: [401, 'The provider did not log you in, or what it sent cannot be accepted'],
  sign_on_expired: [400, 'The log-in was begun in another browser or too long ago, or has ended already: begin again'],
  sign_on_not_allowed: [403, 'The provider knows you, but this account may not use the service: ask an administrator'],
  second_factor_missing: [403, 'Your role needs several factors, and the provider has asked for one only'],
  invalid_logout_token: [400, 'The logout token is not valid'],
  exchange_refused: [400, 'There is no such service account, or it does not trust this token'],
  scope_not_allowed: [400, 'The service account lacks a permission that is asked for'],
  permission_denied: [403, 'The role of the user lacks the permission'],
  address_not_allowed: [403, 'The key may not be used from this address'],
  password_change_required: [403, 'The password is temporary: change it with PUT /auth/password first'],
  second_factor_setup_required: [
    403,
    'Your role needs a second factor: set one up with POST /auth/second-factor first',
  ],
  fresh_login_required: [403, 'This needs a recent log-in with a code: log in again'],
  host_not_allowed: [403, 'The Host header names another machine; `LOCAL_HOSTS` of `npm start` allows more names'],
  registration_closed: [403, 'Only an administrator can create users'],
  not_found: [404, 'No such record, or it belongs to somebody else'],
  method_not_allowed: [405, 'The service opens no streams of messages here'],
  // The state of records
  email_taken: [400, 'A user with this e-mail address already exists'],
  name_taken: [400, 'A record with this name already exists'],
  in_use: [400, 'The record is in use'],
  rule_not_found: [400, 'The workflow names a rule that does not exist'],
  list_not_found: [400, 'No such list'],
  list_full: [400, 'The list would hold too many values'],
  file_not_a_list: [400, 'The file cannot be read as a list of values'],
  hierarchy_invalid: [400, 'The hierarchy file cannot be used'],
  workflow_not_found: [400, 'No such workflow'],
  plan_mismatch: [400, 'The workflows of the plan do not fit together, or not what they are named for'],
  preset_not_found: [400, 'No such preset'],
  role_not_found: [400, 'No such role'],
  built_in: [400, 'The record is built in and cannot be changed or deleted'],
  wrong_password: [400, 'The current password is wrong'],
  wrong_code: [400, 'The code is wrong, or was used before'],
  second_factor_on: [400, 'The second factor is on already'],
  second_factor_off: [400, 'The second factor is off'],
  own_account: [400, 'Nobody can block, demote or delete themselves'],
  last_administrator: [400, 'The last administrator cannot be blocked, demoted or deleted'],
  job_not_pending: [400, 'The job is no longer PENDING'],
  job_in_progress: [400, 'The job is IN_PROGRESS'],
  job_finished: [400, 'The job has finished'],
  job_not_finished: [400, 'The job has not finished'],
  job_without_results: [400, 'The job has no results'],
  job_not_from_source: [400, 'The job was not loaded from this source, so the source has no originals of it'],
  delivery_in_progress: [400, 'Results of the job are being delivered'],
  inputs_gone: [400, 'The files that the job was given are not all there any more'],
  job_empty: [400, 'The job has no assets'],
  workflow_required: [400, 'No workflow is attached to the job, or none for one of its assets'],
  asset_not_ready: [400, 'An asset of the job is not READY'],
  asset_gone: [400, 'The file of the asset is not there any more'],
  cannot_show: [400, 'The file of the asset cannot be shown'],
  columns_unknown: [400, 'The file of the asset has no columns that can be looked through'],
  asset_type_mismatch: [400, 'The workflow does not support the type of an asset'],
  asset_in_use: [400, 'The asset belongs to a job that can no longer be changed'],
  upload_incomplete: [400, 'An announced file has not been uploaded as announced'],
  source_unknown: [400, 'No such source'],
  source_type_mismatch: [400, 'The source is of another kind'],
  source_kind_unavailable: [400, 'This kind of source does not accept these results, or not in this way'],
  file_not_found: [400, 'The source has no such file'],
  idempotency_mismatch: [400, 'The idempotency key was used with another request'],
  idempotency_in_progress: [400, 'A request with this idempotency key is still running'],
  model_load_failed: [400, 'A model cannot be loaded or run'],
  text_refused: [400, 'A text cannot be anonymised by these rules'],
  session_invalid: [400, 'The session was changed, has expired, or belongs to somebody else'],
  session_full: [400, 'The session is full; open another'],
  regex_budget: [400, 'The rules exceed their time budget on this text'],
  too_many_generations: [400, 'The key has the maximum number of generations'],
  too_many_keys: [400, 'The service account has two keys in use; revoke one first'],
  key_unknown: [400, 'The service account has no such key'],
  generation_unknown: [400, 'The key has no such generation'],
  own_request: [400, 'Nobody can decide on their own request'],
  already_decided: [400, 'The request has been decided, or has expired'],
  not_approved: [400, 'The request is not approved, was already opened, or has expired'],
  nothing_reversible: [400, 'There is nothing to reverse'],
  already_destroyed: [400, 'The key was already destroyed'],
  not_in_review: [400, 'The job is not waiting for a review'],
  review_changed: [400, 'Somebody else has decided in the meantime: read their decisions first'],
  finding_unknown: [400, 'The job has no such finding, or no such decision'],
  page_unknown: [400, 'There is no such page, or no picture of it'],
  too_many_webhooks: [400, 'The owner has the maximum number of webhooks'],
  webhook_disabled: [400, 'The webhook is disabled'],
  attempt_pending: [400, 'The event is still being sent to the webhook'],
  // Sources
  ...sourceProblems,
  // Limits
  payload_too_large: [413, 'The request is too large'],
  unsupported_media_type: [415, 'The media type of the body is not supported'],
  rate_limited: [429, 'Too many requests'],
  quota_exceeded: [429, 'The quota of the role for today is used up, or does not suffice'],
  too_many_running: [429, 'Too many of your jobs are running or waiting; try again when some have ended'],
  too_many_attempts: [429, 'Too many failed logins, or wrong keys'],
  // Failures
  internal: [500, 'An unexpected failure'],
  bad_gateway: [502, 'The function returned no valid response'],
  unavailable: [503, 'A part of the service is overloaded; try again'],
  provider_unavailable: [503, 'The identity provider cannot be reached, or does not answer as it should'],
  gateway_timeout: [504, 'The request took too long'],
} as const satisfies Record<string, readonly [status: number, meaning: string, ...unknown[]]>

/** A `type` of {@link problems}. */
export type ProblemType = keyof typeof problems

/** An error that is returned to the caller unchanged: its message must contain nothing internal or sensitive. */
export class ProblemError extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly detail: { loc: string[]; msg: string; type: ProblemType }[]
  /** Headers of the response, such as `Retry-After`. */
  readonly headers: Record<string, string>

  constructor(
    problem:
      | { type: ProblemType; msg?: string; loc?: string[] }
      | { type: ProblemType; msg?: string; loc?: string[] }[],
    headers: Record<string, string> = {},
  ) {
    const all = [problem].flat()
    super(all.map(({ type }) => type).join(', '))
    this.status = problems[all[0]!.type][0]
    this.detail = all.map(({ type, msg = problems[type][1], loc = [] }) => ({ loc, msg, type }))
    this.headers = headers
  }
}

/** The error for a record that does not exist or belongs to somebody else. */
export const notFound = (what: string, loc = ['path']): ProblemError =>
  new ProblemError({ type: 'not_found', msg: `No such ${what}`, loc })
