/** Limits that do not stand in the way of tests that are about something else; their sources and webhooks are on this machine. */
export const lenient = {
  RATE_LIMIT_PER_USER: '1000000',
  RATE_LIMIT_PER_ADDRESS: '1000000',
  EGRESS_ALLOW: '127.0.0.0/8,::1/128',
  WEBHOOK_HTTP: 'true',
}

/** Who administers every service of the tests. */
export const administrator = { email: 'admin@example.org', password: 'correct horse battery' }

/** Whether what a local cloud reports went wrong inside of it. */
export const tellsTrouble = (message: string): boolean => /does not allow|Error/.test(message)
