import type { Definition } from './definition.ts'

/** What goes out to the client. */
export type Reply = { status: number; headers: Record<string, string | string[]>; body: string | Buffer }

/** What API Gateway would answer by itself when nothing is configured: status by type of response. */
const ownStatus: Record<string, number> = {
  ACCESS_DENIED: 403,
  BAD_REQUEST_BODY: 400,
  INTEGRATION_FAILURE: 504,
  INTEGRATION_TIMEOUT: 504,
  INVALID_SIGNATURE: 403,
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  DEFAULT_5XX: 502,
}

/** Answers that the gateway gives by itself, as the template words them. */
export type GatewayAnswer = (type: keyof typeof ownStatus, requestId: string, origin?: string) => Reply

/** The answers of the document that a REST API is made from. */
export function readAnswers({ 'x-amazon-apigateway-gateway-responses': configured }: Definition): GatewayAnswer {
  return (type, requestId, origin) => {
    const status = ownStatus[type]!
    const found = configured[type] ?? configured[status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX']
    const values: Record<string, string | undefined> = {
      'context.requestId': requestId,
      'method.request.header.Origin': origin,
    }
    const headers: Record<string, string> = { 'Content-Type': 'application/json', 'x-amzn-RequestId': requestId }
    for (const [name, expression] of Object.entries(found?.responseParameters ?? {})) {
      const value = expression.startsWith("'") ? expression.slice(1, -1) : values[expression]
      if (value !== undefined) headers[name.replace('gatewayresponse.header.', '')] = value
    }
    return {
      status: Number(found?.statusCode ?? status),
      headers,
      body: found?.responseTemplates?.['application/json'] ?? JSON.stringify({ message: type }),
    }
  }
}

/** The reply that a function's answer stands for; undefined when the answer is malformed. */
export function readReply(payload: string, requestId: string): Reply | undefined {
  const answer = JSON.parse(payload) as {
    statusCode?: unknown
    headers?: Record<string, unknown> | null
    multiValueHeaders?: Record<string, unknown[]> | null
    body?: unknown
    isBase64Encoded?: unknown
  } | null
  const status = Number(answer?.statusCode)
  if (!answer || !Number.isInteger(status) || status < 100 || status > 599) return undefined
  if (answer.body !== undefined && answer.body !== null && typeof answer.body !== 'string') return undefined
  const headers: Reply['headers'] = { 'Content-Type': 'application/json', 'x-amzn-RequestId': requestId }
  const own = Object.keys(headers)
  const set = (name: string, value: string | string[]) => {
    const default_ = own.find(known => known.toLowerCase() === name.toLowerCase())
    if (default_) delete headers[default_]
    headers[name] = value
  }
  for (const [name, value] of Object.entries(answer.headers ?? {})) set(name, String(value))
  for (const [name, values] of Object.entries(answer.multiValueHeaders ?? {})) set(name, values.map(String))
  const text = answer.body ?? ''
  return { status, headers, body: answer.isBase64Encoded === true ? Buffer.from(text, 'base64') : text }
}
