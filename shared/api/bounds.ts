/** Window that requests are counted in, seconds. */
export const RATE_WINDOW_SECONDS = 60
/** Lifetime of an access token, seconds. */
export const ACCESS_SECONDS = 3600
/** Lifetime of a session that is not refreshed, seconds. */
export const SESSION_IDLE_SECONDS = 7 * 24 * 3600
/** Lifetime of a session in any case, seconds: then the password is asked for again. */
export const SESSION_SECONDS = 30 * 24 * 3600
/** Lifetime of a session that began by an identity provider, seconds: whoever has left the company is out by then. */
export const SIGN_ON_SESSION_SECONDS = 12 * 3600
/** How long an idempotency key is remembered, seconds. */
export const IDEMPOTENCY_SECONDS = 24 * 3600
/** How long a download URL is good, seconds. */
export const DOWNLOAD_SECONDS = 300
/** How long the URL of a whole upload is good, seconds. */
export const UPLOAD_SECONDS = 3600
/** How long the URLs of an upload in parts are good, seconds. */
export const PART_UPLOAD_SECONDS = 12 * 3600
/** How long announced files are waited for, seconds. */
export const ANNOUNCED_SECONDS = 24 * 3600
/** Requests in that window by default: of one user, and to `/auth` from one network. */
export const DEFAULT_RATES = { user: 300, address: 20 } as const
/** Most files of one upload by form. */
export const MAX_FILES = 20
/** Most files of one announcement. */
export const MAX_ANNOUNCED = 1000
