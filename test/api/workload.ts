/** What OAuth calls the exchange of a token. */
export const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
export const tokenType = (name: string) => `urn:ietf:params:oauth:token-type:${name}`

/** A request for an access token of a service account, for the token of a workload. */
export const exchangeBody = (client_id: string, subject_token: string, more: Record<string, string> = {}) => ({
  ...{ grant_type: EXCHANGE, client_id, subject_token, subject_token_type: tokenType('jwt') },
  ...more,
})
