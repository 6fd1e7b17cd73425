import {
  ACCESS_SECONDS,
  ANNOUNCED_SECONDS,
  DEFAULT_RATES,
  DOWNLOAD_SECONDS,
  IDEMPOTENCY_SECONDS,
  MAX_ANNOUNCED,
  MAX_FILES,
  PART_UPLOAD_SECONDS,
  RATE_WINDOW_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  UPLOAD_SECONDS,
} from './bounds.ts'
import { checksums } from './checksums.ts'
import { FURTHEST } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './index.ts'
import { lists } from './list-fields.ts'
import { forPeople } from './permission-names.ts'
import { KEY_DAYS } from './service-accounts.ts'

/** A part of the guide: paragraphs with blank lines between, `code` in backticks, and perhaps a table. */
export type Section = { id: string; title: string; text: string; table?: { head: string[]; rows: string[][] } }

const minutes = (seconds: number) => seconds / 60
const hours = (seconds: number) => seconds / 3600
const days = (seconds: number) => seconds / 86_400
const code = (text: string) => `\`${text}\``

/** The endpoints that something is declared of. */
const routesWith = (property: 'fresh' | 'secretReply') =>
  endpoints
    .map(({ endpoint }): Endpoint => endpoint)
    .filter(endpoint => endpoint[property])
    .map(({ route }) => code(route))
    .join(', ')

/** What many endpoints share, so that none of them describes it: part of the reference in the console, and `docs/using.md`. */
export const guide = (): Section[] => [
  sessions,
  secondFactor,
  programs,
  workloads,
  rates,
  quotas,
  idempotency,
  listing(),
  patterns,
  validators,
  replacements,
  uploads,
  running,
  results,
]

const sessions: Section = {
  id: 'using-sessions',
  title: 'Sessions and passwords',
  text: `\`POST /auth/login\` returns an access token, valid for ${minutes(ACCESS_SECONDS)} minutes, and a refresh token. Send the access token as \`Authorization: Bearer …\`. Log-out, blocking and a changed role take effect on the next request.

\`POST /auth/refresh\` exchanges the refresh token for new tokens. Each works once; using an old one again ends the session. A session ends after ${days(SESSION_IDLE_SECONDS)} days without a refresh, and ${days(SESSION_SECONDS)} days after log-in in any case. Tokens of a session that has ended get 401 \`token_expired\`.

\`PUT /users/{user_id}/password/reset\` sets a temporary password. Logging in with it returns \`password_change_required\`, and that session can only call \`PUT /auth/password\` with \`currentPassword\` and \`newPassword\`; every other request gets 403 \`password_change_required\`. The session that changes a password continues; all other sessions of the user end.

Passwords have 12 to 256 characters. An easily guessed one gets 422 \`password_too_common\`. After several wrong passwords, log-ins must wait: 429 \`too_many_attempts\`, with the seconds in \`Retry-After\`.`,
}

const secondFactor: Section = {
  id: 'using-second-factor',
  title: 'Second factor',
  text: `Users can protect their log-in with an app for codes (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). \`POST /auth/second-factor\` with \`currentPassword\` returns the secret, and \`PUT /auth/second-factor\` with the first \`code\` turns the second factor on and returns ten recovery codes. From then on, \`POST /auth/login\` needs a \`code\` too: without one, the right password gets 401 \`second_factor_required\`; a wrong code gets 401 \`invalid_code\` and counts like a wrong password. The codes of the previous and the next 30 seconds are accepted too. Each code works once, as does each recovery code, and no code that is older than one used before.

\`DELETE /auth/second-factor\` with a \`code\` turns it off. For users who have lost app and recovery codes, \`DELETE /users/{user_id}/second-factor\` does. Either way, and when it is turned on, the user is notified and all other sessions end.

\`SECOND_FACTOR_ROLES\` names roles whose users must have a second factor. Until they do, log-in returns \`second_factor_setup_required\`, and every request except those for setting it up and for changing the password gets 403 \`second_factor_setup_required\`.

Users with a second factor need a recent log-in (\`SECOND_FACTOR_FRESH_SECONDS\`) for ${routesWith('fresh')}. Otherwise these get 403 \`fresh_login_required\`: log in again. The same is true of users who log in by an identity provider.`,
}

const programs: Section = {
  id: 'using-keys',
  title: 'Service accounts and keys',
  text: `Programs call with a key of a service account in place of an access token: \`Authorization: Bearer anon_…\`. Whoever has \`service-accounts:manage\` creates the account with \`POST /service-accounts/\`, for a role and some of its \`permissions\`, perhaps only for some \`networks\`, and makes a key with \`POST /service-accounts/{account_id}/keys\`. The key is shown once. It lasts ${KEY_DAYS.usual} days, or as many as \`expiresInDays\` says (${KEY_DAYS.most} at most). Two may be in use at the same time: to replace one, make another, hand it over, and revoke the old one with \`DELETE /service-accounts/{account_id}/keys\`.

A service account owns what it creates, and the audit trail records its id as the user. Revoking a key, blocking the account, and changing its role, permissions or networks take effect on the next request. A key that is revoked or has expired gets 401 \`token_expired\`, a key from another network 403 \`address_not_allowed\`. After ten wrong keys of an account from one network within fifteen minutes, all its keys are refused there until they are over: 429 \`too_many_attempts\`.

Keys can't call \`GET /auth/me\` and \`PUT /auth/password\`, nor anything that needs ${[...forPeople].map(code).join(', ')}: they never decide on reviews or re-identification, and never change users, roles or service accounts (403 \`permission_denied\`).

A key is \`anon_\`, the id of its account in 32 hexadecimal digits, \`_\`, 43 random letters and digits, \`_\` and 6 letters and digits that check the rest (CRC-32), so scanners for secrets can recognise one: \`anon_[0-9a-f]{32}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}\`.`,
}

const workloads: Section = {
  id: 'using-workloads',
  title: 'Workloads without a key',
  text: `Jobs of a build service, pods and programs in a cloud get a signed token (a JWT) of their issuer. \`POST /auth/token\` exchanges it for an access token of a service account, so they need no stored secret (OAuth 2.0 Token Exchange, RFC 8693). The account says in \`workloads\` whose tokens it trusts: \`issuer\`, \`audience\`, and \`subject\` or \`claims\`, which must be the same to the letter. [single-sign-on.md](single-sign-on.md) shows how, with an example.

The access token is valid for ${minutes(ACCESS_SECONDS)} minutes and may do what a key of the account may do, or less if \`scope\` says so. Blocking the account, changing its role, permissions or networks, and changing what is trusted take effect on the next request. A token of a workload is accepted once, unless \`singleUse\` is false. Every token that isn't accepted gets 400 \`exchange_refused\`; the function's log says why. After ten of them for an account from one network within fifteen minutes, all are refused there until they are over: 429 \`too_many_attempts\`.`,
}

const rates: Section = {
  id: 'using-rates',
  title: 'Rate limits',
  text: `Requests are counted in windows of ${RATE_WINDOW_SECONDS} seconds, which begin on the minute. Responses have \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, the seconds until the next window. Beyond the limit the response is 429 \`rate_limited\`, with the same seconds in \`Retry-After\`. A network is an IPv4 address or the first 64 bits of an IPv6 address.

A deployment also limits the requests of all callers together. Above that limit, API Gateway returns 429 without these headers: wait, and double the wait each time. The number of jobs that one user may run at the same time is limited too (\`RUNNING_JOBS_PER_USER\`): 429 \`too_many_running\`.`,
  table: {
    head: ['requests', 'counted by', 'a minute', 'setting'],
    rows: [
      ['with a valid token or key', 'user or service account', String(DEFAULT_RATES.user), code('RATE_LIMIT_PER_USER')],
      [
        'to register, log in, refresh or log out',
        'network',
        String(DEFAULT_RATES.address),
        code('RATE_LIMIT_PER_ADDRESS'),
      ],
      ['others with no token or an invalid one', 'network', String(DEFAULT_RATES.user), code('RATE_LIMIT_PER_USER')],
    ],
  },
}

const quotas: Section = {
  id: 'using-quotas',
  title: 'Quotas',
  text: `A role can have a \`quota\`: \`{"bytesPerDay": 1000000000, "jobsPerDay": 200}\` is how much each user and each service account with the role may bring in from midnight to midnight UTC. A limit that is absent is none, and the built-in roles have none. Beyond the quota the response is 429 \`quota_exceeded\`, with the seconds until midnight in \`Retry-After\`, and nothing is created. \`GET /\` with a token shows what is used. A change of the role takes effect on the next request; what came in while a role had no quota was not counted.

A job counts when it is created, by upload, from a source, as a copy or by a schedule, together with the bytes of its files as they are announced: the size of each part of the form or of each \`files\` entry, or what the source says. A file of a source that turns out larger counts as it is; where the quota does not suffice, the asset becomes FAILED with \`quota_exceeded\`. Tables of databases say no size beforehand and count when they have come.

On the same day, the bytes of a file count no longer if its request fails, if it could not be loaded, or if it is removed, or its job cancelled or deleted, before it has come. Files that have come and jobs that were created always count. Texts of \`POST /texts/anonymise\` and jobs that restore files do not.

Nobody whose role has a quota can give a wider one, or a role with a wider one, to others (403 \`permission_denied\`).`,
}

const idempotency: Section = {
  id: 'using-idempotency',
  title: 'Repeating a request safely',
  text: `POST and PUT requests with a token can have an \`Idempotency-Key\`: text of your choice, at most 255 characters, such as a UUID. The first request with a key is carried out, and its response is kept for ${hours(IDEMPOTENCY_SECONDS)} hours. The same request with the same key gets that response again, with \`Idempotency-Replayed: true\`. Keys belong to the user.

Requests are the same if method, path, query and body are. JSON is compared byte by byte; a form by its fields and by the names, types and contents of its files, whatever its boundary. A different request with the key gets 400 \`idempotency_mismatch\`. So does the same request if the first one was carried out but its response was too large to keep (above 350,000 characters), or was lost by a failure after the change. While the first is still running, a second gets 400 \`idempotency_in_progress\`.

Failures are not kept: a request with the same key is tried again. Responses that hold secrets or contents are never kept, and the header has no effect there: ${routesWith('secretReply')}.`,
}

const listing = (): Section => ({
  id: 'using-lists',
  title: 'Lists',
  text: `POST lists take \`skip\`, \`limit\`, \`cursor\`, \`search\`, \`filters\` and \`sort\` in the body; the first three can be in the query string instead. GET lists take all of them in the query string. A value given in both must be the same (422 \`conflicting_values\`).

\`limit\` is 100 by default and at most 1,000; \`skip\` is at most ${FURTHEST.toLocaleString('en')}. \`X-Total-Count\` is the number of records on all pages together. While there are more, \`Link: <…>; rel="next"\` points to the next page. Send the same method and body there, without \`skip\` and \`cursor\`, until there is no \`Link\`. Beyond the largest \`skip\`, the link has a \`cursor\`, which replaces \`skip\`; the two can’t be combined.

\`search\` finds text in names and e-mail addresses, in any case. \`filters\` takes values or arrays of values: \`{"filters": {"status": ["SUCCEEDED", "FAILED"]}}\`, or in a query string \`?role=admin,user\`. \`sort\` takes at most five fields, the most important first: \`{"sort": [{"field": "name", "order": "desc"}]}\`, or in a query string \`?sort=-name,createdAt\`. By default the newest come first.`,
  table: {
    head: ['list', 'filters', 'sort'],
    rows: lists().map(({ route, filters, sorts }) => [
      code(route),
      filters.map(code).join(', ') || 'none',
      sorts.map(code).join(', '),
    ]),
  },
})

const patterns: Section = {
  id: 'using-patterns',
  title: 'Patterns',
  text: `The \`pattern\` of a rule is an ECMAScript regular expression with the flag \`u\`, at most 1,000 characters long. It must not match empty text. \`flags\` adds \`i\` (ignore case), \`m\` (\`^\` and \`$\` match at line ends) and \`s\` (the dot matches line ends too), each at most once.

A group named \`redact\` narrows what is replaced: \`Patient: (?<redact>\\p{L}+)\` finds the word and the name, and replaces only the name. If the group isn’t part of a match, or is empty, the whole match is replaced. A checksum is computed over the whole match.

\`\\b\`, \`\\w\` and \`\\d\` match ASCII only: write \`(?<![\\p{L}\\p{N}])…(?![\\p{L}\\p{N}])\` around words of any script. \`POST /rules/test\` shows what rules find in a text, and why, before you save them.`,
}

const validators: Section = {
  id: 'using-validators',
  title: 'Checksums of patterns',
  text: `\`validator\` names a checksum that a match must pass; a match that fails it is left as it is. Spaces, hyphens, dots and slashes inside numbers don’t matter. An unknown name gets 422 \`validator_unknown\`, with the known names.`,
  table: {
    head: ['validator', 'what it checks', 'rule'],
    rows: Object.entries(checksums).map(([name, [proves, rule]]) => [code(name), proves, rule]),
  },
}

const replacements: Section = {
  id: 'using-replacements',
  title: 'Replacements',
  text: `Each entry of a workflow has a \`replacement\` of one form. Three placeholders can be used in \`text\`: \`{{label}}\` (what was found, such as \`PERSON\`; for a pattern, the name of its rule), \`{{rule}}\` (the name of the rule) and \`{{n}}\` (the number of the distinct value in the job, from 1). Anything else in double braces gets 422 \`config_mismatch\`. Values that differ only in spaces, Unicode forms or kinds of digits count as the same.`,
  table: {
    head: ['form', 'what replaces a match'],
    rows: [
      [code('{"text": "[{{label}} {{n}}]"}'), 'the text, at most 1,000 characters'],
      [
        code('{"mask": {"char": "*", "keepFirst": 0, "keepLast": 4}}'),
        'the value with all but its first and last characters masked; all of them if none would be',
      ],
      [code('{"hash": {}}'), 'HMAC-SHA-256 under a key of the deployment, 64 hexadecimal digits'],
      [
        code('{"pseudonym": {}}'),
        'the label (or `as`) and ten characters, such as `PERSON_7QK2M0XV4T`: the same throughout its `scope`, by default the job',
      ],
      [
        code('{"surrogate": {}}'),
        'a realistic made-up value of the same kind; for patterns, `as` says what they find: [replacements.md](replacements.md)',
      ],
      [
        code('{"dateShift": {"scope": "document"}}'),
        'the date shifted by a secret number of days, the same throughout the scope; `*` for anything that isn’t a date or could be two',
      ],
      [code('{"remove": {}}'), 'nothing'],
      [
        code('{"generalise": {"range": 10}}'),
        'less detail: `range`, `date`, `prefix` or `hierarchy`; `*` if none is left',
      ],
      [code('{"suppress": {}}'), '`*`'],
    ],
  },
}

const uploads: Section = {
  id: 'using-uploads',
  title: 'Uploads of large files',
  text: `\`POST /jobs/upload\` takes at most ${MAX_FILES} files and about 4 MB as a form. Announce larger ones, or up to ${MAX_ANNOUNCED} at once, with \`POST /jobs/uploads\`: \`{"name": "…", "files": [{"filename": "a.pdf", "size": 123456789, "contentType": "application/pdf"}]}\`. Every asset in the response has an \`upload\`.

One with \`"method": "PUT"\` has \`headers\` and a \`url\` that is valid for ${minutes(UPLOAD_SECONDS)} minutes: PUT the file there with only these headers and \`Content-Length\`, without a bearer token. The store accepts exactly the announced size (403 otherwise), and each file once (412 afterwards).

One with \`"method": "MULTIPART"\` (above 5 GiB) has \`partSize\` and \`parts\`, with URLs valid for ${hours(PART_UPLOAD_SECONDS)} hours: PUT each part of \`partSize\` bytes (the last may be shorter) to the URL with its number. The service joins them.

Then call \`POST /jobs/{job_id}/uploads/complete\`. It returns 400 \`upload_incomplete\` with the names of missing files, and you can call it again. A file that has not arrived ${hours(ANNOUNCED_SECONDS)} hours after it was announced is FAILED.`,
}

const running: Section = {
  id: 'using-jobs',
  title: 'Jobs',
  text: `A job is PENDING until \`POST /jobs/{job_id}/execute\`, then IN_PROGRESS. It ends as SUCCEEDED (every asset succeeded), FAILED (at least one asset failed; \`errors\` says why, and the results of the others are available) or CANCELLED; this status is final. A job uses the workflow and rules as they were when it was executed.

\`GET /jobs/{job_id}/status\` is the cheap way to wait; call it every second or two. \`progress\` says how many \`assets\` there are, and how many are \`done\` or have \`failed\`. \`bytesDone\` of \`bytes\` are done: the number never falls, and it also grows within a large asset. \`secondsLeft\` is an estimate from the rate so far, and null while that is unknown. A notification is sent at the end as well.

\`POST /jobs/estimate\` says beforehand what a job will take and cost, from the sizes and formats of its files: a range, of a job that has not been executed or of files that have not been sent.

\`PUT /jobs/{job_id}/cancel\` ends a job immediately; running work stops within two seconds and leaves no output.

A job of several kinds of files can have several workflows. \`PUT /jobs/{job_id}\` takes a \`plan\`, for example \`[{"match": {"type": "TABLE"}, "workflowId": "…"}, {"match": {"name": "*.eml"}, "workflowId": "…"}]\`. For each asset, the first entry that matches its type and name decides; \`workflowId\` or \`presetId\` of the job is for the assets that match none, and without it those are refused when the job is executed (400 \`workflow_required\`). An empty \`match\` is every asset. Names match in any case, and \`*\` stands for any characters. All workflows of a job have the same \`project\`, or none.

\`POST /jobs/{job_id}/copy\` makes a new PENDING job from the inputs of a finished one, to run them again with another workflow or after a rule was corrected. The copy has the workflows of the finished job, or none if one of them was deleted, and its assets are LOADING until their files have been copied. It gets 400 \`inputs_gone\` once an input was deleted, also by \`RETENTION_DAYS\`.`,
}

const results: Section = {
  id: 'using-results',
  title: 'Results',
  text: `The \`result\` of a finished job has one entry for each asset: \`findings\` by rule (counts, never values), a \`report\` of what was removed or turned into pictures, \`warnings\`, and the \`outputAssetId\`. The first 1,000 assets are shown; \`POST /jobs/{job_id}/assets\` lists all, and \`GET /assets/{asset_id}/report\` shows one.

\`url\` downloads the output and is valid for ${minutes(DOWNLOAD_SECONDS)} minutes; only the first 100 assets have one. \`GET /jobs/{job_id}\` makes new URLs, and \`GET /assets/{asset_id}/url\` makes one for any output. Anyone with the URL can download the file, so don’t share it.

Downloads need \`assets:read\`, and also \`jobs:any\` (jobs) or \`assets:any\` (single assets) for what belongs to others; with \`jobs:read\` alone \`url\` is null. The audit trail records who received URLs. Uploads and results are deleted after \`RETENTION_DAYS\` (30 by default); \`DELETE /jobs/{job_id}\` deletes them immediately.`,
}
