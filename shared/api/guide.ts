import {
  ACCESS_SECONDS,
  ANNOUNCED_SECONDS,
  DEFAULT_RATES,
  DOWNLOAD_SECONDS,
  IDEMPOTENCY_SECONDS,
  PART_UPLOAD_SECONDS,
  RATE_WINDOW_SECONDS,
  SESSION_IDLE_SECONDS,
  SESSION_SECONDS,
  UPLOAD_SECONDS,
} from './bounds.ts'
import { checksums } from './checksums.ts'
import { FURTHEST } from './common.ts'
import { MAX_FILES } from './jobs.ts'
import { lists } from './list-fields.ts'

/** A part of the guide: paragraphs with blank lines between, `code` in backticks, and perhaps a table. */
export type Section = { id: string; title: string; text: string; table?: { head: string[]; rows: string[][] } }

const minutes = (seconds: number) => seconds / 60
const hours = (seconds: number) => seconds / 3600
const days = (seconds: number) => seconds / 86_400
const code = (text: string) => `\`${text}\``

/** What holds for many endpoints and so stands at none of them: part of the page at `/docs`, and `docs/using.md`. */
export const guide = (): Section[] => [
  sessions,
  rates,
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
  text: `\`POST /auth/login\` answers an access token, good for ${minutes(ACCESS_SECONDS)} minutes, and a refresh token. Send the access token as \`Authorization: Bearer …\`. Log-out, a block and a changed role act on the very next request.

\`POST /auth/refresh\` exchanges the refresh token for new ones. Each works once: an old one that is used again ends the session. A session ends after ${days(SESSION_IDLE_SECONDS)} days without a refresh, and ${days(SESSION_SECONDS)} days after its log-in in any case. What has ended answers 401 \`token_expired\`.

A temporary password comes from \`PUT /users/{user_id}/password/reset\`. The answer to its log-in has \`password_change_required\`, and that session can only call \`PUT /auth/password\` with \`currentPassword\` and \`newPassword\`; all else answers 403 \`password_change_required\`. The session that changes a password goes on, all others of the user end.

Passwords have 12 to 256 characters. One that is easily guessed answers 422 \`password_too_common\`. After several wrong ones log-ins have to wait: 429 \`too_many_attempts\`, with the seconds in \`Retry-After\`.`,
}

const rates: Section = {
  id: 'using-rates',
  title: 'Rate limits',
  text: `Requests are counted in windows of ${RATE_WINDOW_SECONDS} seconds, which begin with the minute of the clock. Answers tell \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, the seconds until the next window. Beyond the limit the answer is 429 \`rate_limited\`, with the same seconds in \`Retry-After\`. A network is an IPv4 address or the first 64 bits of an IPv6 address.

Apart from these a deployment bounds the requests of all callers together. Above that API Gateway answers 429 without these headers: wait, and double the wait each time. How many jobs one user may run at once is bounded too (\`RUNNING_JOBS_PER_USER\`): 429 \`too_many_running\`.`,
  table: {
    head: ['requests', 'counted by', 'a minute', 'setting'],
    rows: [
      ['with a good token', 'user', String(DEFAULT_RATES.user), code('RATE_LIMIT_PER_USER')],
      [
        'to register, log in, refresh or log out',
        'network',
        String(DEFAULT_RATES.address),
        code('RATE_LIMIT_PER_ADDRESS'),
      ],
      ['others without one, or with a bad one', 'network', String(DEFAULT_RATES.user), code('RATE_LIMIT_PER_USER')],
    ],
  },
}

const idempotency: Section = {
  id: 'using-idempotency',
  title: 'Repeating a request safely',
  text: `POST and PUT requests with a token may carry \`Idempotency-Key\`: text of one’s own, at most 255 characters, such as a UUID. The first request with a key is carried out, and its answer kept for ${hours(IDEMPOTENCY_SECONDS)} hours. The same request with the same key gets that answer again, with \`Idempotency-Replayed: true\`. Keys belong to the user.

What makes it the same request is method, path and body. JSON is compared byte by byte, a form by its fields and by the names, types and contents of its files, whatever its boundary. Another request with the key answers 400 \`idempotency_mismatch\`. So does the same one where the first was carried out and its answer was too large to keep, above 350,000 characters. While the first is still running a second answers 400 \`idempotency_in_progress\`.

Failures are not kept: the same key tries again. \`PUT /auth/password\`, \`PUT /users/{user_id}/password/reset\` and \`POST /rules/test\` are never kept, so the header has no effect there.`,
}

const listing = (): Section => ({
  id: 'using-lists',
  title: 'Lists',
  text: `Lists by POST take \`skip\`, \`limit\`, \`cursor\`, \`search\`, \`filters\` and \`sort\` in the body; the first three may stand in the query string instead. Lists by GET take all in the query string. A value that stands in both must be the same (422 \`conflicting_values\`).

\`limit\` is 100 when absent, at most 1,000; \`skip\` at most ${FURTHEST.toLocaleString('en')}. \`X-Total-Count\` tells how many records there are on all pages together. While there are more, \`Link: <…>; rel="next"\` leads to the next page. Send the same method and body there, without \`skip\` and \`cursor\`, until no \`Link\` comes. Beyond the end of \`skip\` it holds a \`cursor\`, which goes instead of \`skip\`, never with it.

\`search\` finds text in names and e-mail addresses, in any case. \`filters\` takes values or arrays of values: \`{"filters": {"status": ["SUCCEEDED", "FAILED"]}}\`, in a query string \`?role=admin,user\`. \`sort\` takes at most five fields, the first deciding first: \`{"sort": [{"field": "name", "order": "desc"}]}\`, in a query string \`?sort=-name,createdAt\`. Without it the newest come first.`,
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
  text: `The \`pattern\` of a rule is a regular expression of ECMAScript with the flag \`u\`, at most 1,000 characters, which must not match empty text. \`flags\` adds \`i\` (any case), \`m\` (\`^\` and \`$\` at line ends) and \`s\` (the dot matches line ends too), each at most once.

A group named \`redact\` narrows what is replaced: \`Patient: (?<redact>\\p{L}+)\` finds the word and its name, and replaces the name only. Where the group takes no part in a match, or is empty, the whole match is replaced. A checksum looks at the whole match.

\`\\b\`, \`\\w\` and \`\\d\` know ASCII only: write \`(?<![\\p{L}\\p{N}])…(?![\\p{L}\\p{N}])\` around words of any script. \`POST /rules/test\` shows what rules find in a text, and why, before they are saved.`,
}

const validators: Section = {
  id: 'using-validators',
  title: 'Checksums of patterns',
  text: `\`validator\` names a checksum that a match must pass; a match that fails it is left as it is. Spaces, hyphens, dots and slashes inside of numbers don’t matter. Another name answers 422 \`validator_unknown\`, with the names that there are.`,
  table: {
    head: ['validator', 'what it checks', 'rule'],
    rows: Object.entries(checksums).map(([name, [proves, rule]]) => [code(name), proves, rule]),
  },
}

const replacements: Section = {
  id: 'using-replacements',
  title: 'Replacements',
  text: `Each entry of a workflow has a \`replacement\` of one form. In \`text\` three places are filled in: \`{{label}}\` (what was found, such as \`PERSON\`; of a pattern the name of its rule), \`{{rule}}\` (the name of the rule) and \`{{n}}\` (the number of the distinct value in the job, from 1). Anything else in double braces answers 422 \`config_mismatch\`. Spaces, Unicode forms and kinds of digits don’t make a value another one.`,
  table: {
    head: ['form', 'what stands in place of a match'],
    rows: [
      [code('{"text": "[{{label}} {{n}}]"}'), 'the text, at most 1,000 characters'],
      [
        code('{"mask": {"char": "*", "keepFirst": 0, "keepLast": 4}}'),
        'the value with all but its first and last characters covered; all of them where none would be',
      ],
      [code('{"hash": {}}'), 'HMAC-SHA-256 under a key of the deployment, 64 hexadecimal digits'],
      [
        code('{"pseudonym": {}}'),
        'the label, or what `as` says, and ten characters, such as `PERSON_7QK2M0XV4T`: the same throughout its `scope`, by default the job',
      ],
      [
        code('{"surrogate": {}}'),
        'something of the same kind that looks real and is made up; of patterns `as` says what they find: [replacements.md](replacements.md)',
      ],
      [
        code('{"dateShift": {"scope": "document"}}'),
        'a date moved by a secret number of days, the same throughout the scope; `*` for what is no date, or could be two',
      ],
      [code('{"remove": {}}'), 'nothing'],
      [
        code('{"generalise": {"range": 10}}'),
        'less detail: `range`, `date`, `prefix` or `hierarchy`; `*` where none is left',
      ],
      [code('{"suppress": {}}'), '`*`'],
    ],
  },
}

const uploads: Section = {
  id: 'using-uploads',
  title: 'Uploads of large files',
  text: `\`POST /jobs/upload\` takes at most ${MAX_FILES} files and about 4 MB as a form. Larger ones are announced to \`POST /jobs/uploads\`: \`{"name": "…", "files": [{"filename": "a.pdf", "size": 123456789, "contentType": "application/pdf"}]}\`. Every asset of the answer has an \`upload\`.

One with \`"method": "PUT"\` has a \`url\`, good for ${minutes(UPLOAD_SECONDS)} minutes, and \`headers\`: send the file there by PUT with just these headers and \`Content-Length\`, without a bearer token. The store takes exactly the announced size (403 otherwise), and each file once (412 afterwards).

One with \`"method": "MULTIPART"\`, above 5 GiB, has \`partSize\` and \`parts\`, with URLs good for ${hours(PART_UPLOAD_SECONDS)} hours: send each piece of \`partSize\` bytes, the last one shorter, by PUT to the URL of its number. The service puts them together.

Then call \`POST /jobs/{job_id}/uploads/complete\`. It answers 400 \`upload_incomplete\` with the names of what is missing, and may be called again. What has not come ${hours(ANNOUNCED_SECONDS)} hours after its announcement has FAILED.`,
}

const running: Section = {
  id: 'using-jobs',
  title: 'Jobs',
  text: `A job is PENDING until \`POST /jobs/{job_id}/execute\`, then IN_PROGRESS, and ends as SUCCEEDED (every asset), FAILED (at least one asset failed; \`errors\` says why, and results of the others are there) or CANCELLED. The status never changes from then on. A job runs with workflow and rules as they were when it was executed.

\`GET /jobs/{job_id}/status\` is the cheap way to wait: \`progress\` tells how many \`assets\` there are, how many are \`done\` and how many have \`failed\`. \`bytesDone\` of \`bytes\` are done: it never falls, and grows within a large asset too. \`secondsLeft\` estimates the rest from the rate so far, and is null while that is unknown. Ask every second or two. Notifications tell of the end as well.

\`PUT /jobs/{job_id}/cancel\` ends a job at once; what is under way stops within two seconds and leaves no output.`,
}

const results: Section = {
  id: 'using-results',
  title: 'Results',
  text: `\`result\` of a finished job has one entry for each asset: \`findings\` by rule (numbers, never values), a \`report\` of what was left out or made into pictures, \`warnings\`, and the \`outputAssetId\`. The first 1,000 assets are shown; \`POST /jobs/{job_id}/assets\` lists all, and \`GET /assets/{asset_id}/report\` shows one.

\`url\` downloads the output for ${minutes(DOWNLOAD_SECONDS)} minutes; it is there for the first 100 assets. \`GET /jobs/{job_id}\` makes new ones, and \`GET /assets/{asset_id}/url\` makes one for any output. Whoever has the URL has the file: pass it on to nobody.

Downloads need \`assets:read\`, and for what belongs to others \`jobs:any\` (jobs) or \`assets:any\` (single assets) as well; with \`jobs:read\` alone \`url\` is null. The audit trail records who was given URLs. Uploads and results are removed after \`RETENTION_DAYS\`, 30 unless set otherwise; \`DELETE /jobs/{job_id}\` removes them at once.`,
}
