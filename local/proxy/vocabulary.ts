import { Refusal } from './refusal.ts'

/** A value as JSON has it. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** What becomes of a text: the same for the same text. In JSON written as text, values are escaped as its strings are. */
export type Rewrite = (text: string, writing: 'text' | 'json') => string

/**
 * Where a value stands, which says what its keys mean: in the provider's own vocabulary, in the JSON Schema of a tool, or in
 * data of the user, where every key and every value is text.
 */
type Zone = 'api' | 'schema' | 'data'

/** Keys whose strings are names of the protocol. They go as they are, and must look like names. */
const names = new Set([
  ...['role', 'type', 'id', 'object', 'model', 'status', 'call_id', 'item_id', 'tool_call_id', 'tool_use_id'],
  ...['previous_response_id', 'response_id', 'service_tier', 'reasoning_effort', 'effort', 'encoding_format'],
  ...['stop_reason', 'finish_reason', 'tool_choice', 'truncation', 'verbosity', 'ttl', 'phase'],
])

/** Keys whose numbers are settings or counts of the protocol, however large. */
const counts = /^(?:seed|created(?:_at)?|\w*tokens|\w*index)$/

/** Words of a protocol, as keys. In data of the user no key is one. */
const keyword = /^[a-z]\w*$/

/** Keys whose strings the provider has sealed: they come from it and go back to it. */
const sealed = new Set(['signature', 'encrypted_content', 'obfuscation'])

const name = /^[\w.:/-]{0,256}$/
const seal = /^[A-Za-z0-9+/=_-]*$/

/** Kinds of content, tools and settings that hold nothing but text. Others, pictures among them, are refused. */
const kinds = new Set([
  ...[
    'text',
    'refusal',
    'content',
    'message',
    'input_text',
    'output_text',
    'reasoning',
    'summary_text',
    'reasoning_text',
  ],
  ...['function', 'custom', 'tool', 'function_call', 'function_call_output', 'custom_tool_call', 'allowed_tools'],
  ...['custom_tool_call_output', 'item_reference', 'json_schema', 'json_object', 'grammar', 'auto', 'any', 'none'],
  ...['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'ephemeral', 'enabled', 'disabled', 'adaptive'],
])

/** Keys of JSON Schema whose values are schemas by names that somebody chose. */
const named = new Set(['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'])

/** Keys of JSON Schema whose strings are data. */
const described = new Set(['title', 'description', 'default', 'const', 'enum', 'examples', 'required', '$comment'])

const maxDepth = 100

/** Rewrites every text of a request, and tells the names that stay; refuses what may hold more than text. */
export function rewriteRequest(body: Json, rewrite: Rewrite): { body: Json; kept: ReadonlySet<string> } {
  const kept = new Set<string>()
  return { body: rewriteApi(body, { rewrite, kept, checks: true, depth: 0 }), kept }
}

/** Rewrites every text of an answer, in whatever the provider sends. */
export function rewriteAnswer(body: Json, rewrite: Rewrite): Json {
  return rewriteApi(body, { rewrite, kept: new Set(), checks: false, depth: 0 })
}

type How = { rewrite: Rewrite; kept: Set<string>; checks: boolean; depth: number }

function deeper(how: How): How {
  if (how.depth >= maxDepth) throw new Refusal(400, `The request is nested deeper than ${maxDepth} levels`)
  return { ...how, depth: how.depth + 1 }
}

/** A value in the provider's vocabulary. */
function rewriteApi(value: Json, given: How, key = ''): Json {
  if (typeof value === 'string') return rewriteString(key, value, given)
  if (typeof value === 'number') return counts.test(key) ? value : rewriteNumber(value, given)
  if (value === null || typeof value !== 'object') return value
  const how = deeper(given)
  if (Array.isArray(value)) {
    if (how.checks && key === 'input' && value.some(item => typeof item === 'number' || Array.isArray(item)))
      throw new Refusal(501, 'Texts given as tokens are not passed on: give them as strings')
    return value.map(item => rewriteApi(item, how, key))
  }
  if (how.checks) checkKind(value)
  return rewriteKeys(value, how, (inner, each) => rewriteField(value, each, inner, how), keyword)
}

function rewriteField(parent: { [key: string]: Json }, key: string, value: Json, how: How): Json {
  switch (key) {
    // A speaker has a name of its own; those of tools and schemas are chosen by programs.
    case 'name':
      return 'role' in parent || typeof value !== 'string' ? rewriteIn('data', value, how) : keepName(key, value, how)
    case 'arguments':
    case 'partial_json':
      return typeof value === 'string' ? rewriteJsonText(value, how) : rewriteIn('data', value, how)
    case 'input':
      return parent.type === 'tool_use' ? rewriteIn('data', value, how) : rewriteApi(value, how, key)
    case 'data':
      return parent.type === 'redacted_thinking' && typeof value === 'string'
        ? keepSeal(key, value, how)
        : rewriteApi(value, how, key)
    case 'metadata':
    case 'variables':
    case 'logit_bias':
      return rewriteIn('data', value, how)
    case 'parameters':
    case 'input_schema':
    case 'output_schema':
    case 'schema':
      return rewriteIn('schema', value, how)
    default:
      return rewriteApi(value, how, key)
  }
}

/** Refuses an object of a kind that may hold more than text. */
function checkKind(value: { [key: string]: Json }) {
  const { type } = value
  if (type !== undefined && (typeof type !== 'string' || !kinds.has(type)))
    throw new Refusal(501, 'Only text is passed on: a part of the request is of another type')
  const pictures = ['image_url', 'input_audio', 'audio', 'file', 'file_id', 'file_data', 'source', 'mcp_servers']
  const found = pictures.find(key => value[key] !== undefined && value[key] !== null)
  if (found) throw new Refusal(501, `Only text is passed on: the request has ${found}`)
}

function rewriteString(key: string, value: string, how: How): string {
  if (names.has(key)) return keepName(key, value, how)
  return sealed.has(key) ? keepSeal(key, value, how) : how.rewrite(value, 'text')
}

function keepName(key: string, value: string, { kept, checks }: How): string {
  if (checks && !name.test(value)) throw new Refusal(400, `${key} must be a name without blanks and signs`)
  kept.add(value)
  return value
}

function keepSeal(key: string, value: string, { checks }: How): string {
  if (checks && !seal.test(value)) throw new Refusal(400, `${key} must be as it was received`)
  return value
}

function rewriteIn(zone: Exclude<Zone, 'api'>, value: Json, given: How, key = ''): Json {
  if (typeof value === 'string') {
    return zone === 'schema' && !described.has(key) ? keepVocabulary(value, given) : given.rewrite(value, 'text')
  }
  if (typeof value === 'number') return zone === 'data' ? rewriteNumber(value, given) : value
  if (value === null || typeof value === 'boolean') return value
  const how = deeper(given)
  if (Array.isArray(value)) return value.map(item => rewriteIn(zone, item, how, key))
  if (zone === 'data') return rewriteKeys(value, how, inner => rewriteIn('data', inner, how))
  if (named.has(key)) return rewriteKeys(value, how, inner => rewriteIn('schema', inner, how))
  const inSchema = (inner: Json, each: string) => rewriteIn(described.has(each) ? 'data' : 'schema', inner, how, each)
  return rewriteKeys(value, how, inSchema, /^\$?[a-z]+(?:[A-Z][a-z]+)*$/)
}

/** What a schema says by a word of its own: types, formats, patterns. Whatever is no such word is text. */
function keepVocabulary(value: string, { rewrite, kept }: How): string {
  if (!vocabulary.test(value)) return rewrite(value, 'text')
  kept.add(value)
  return value
}

const vocabulary = /^(?:[a-z]{1,12}(?:-[a-z]{1,12})*|#[\w/$.-]*|https?:\/\/json-schema\.org\/[\w/#-]*)$/

/** A number that is found, as one of a telephone or an account is, becomes a string. */
function rewriteNumber(value: number, { rewrite }: How): Json {
  const text = String(value)
  const made = text.length < 5 ? text : rewrite(text, 'text')
  return made === text ? value : made
}

/** The same object with other values, and with other keys where a key is no word of a protocol. */
function rewriteKeys(
  value: { [key: string]: Json },
  { rewrite }: How,
  each: (inner: Json, key: string) => Json,
  stays?: RegExp,
): Json {
  const entries = Object.entries(value).map(
    ([key, inner]) => [stays?.test(key) ? key : rewrite(key, 'text'), each(inner, key)] as const,
  )
  return Object.fromEntries(entries)
}

/** JSON that stands in a string, as the arguments of a call do. */
function rewriteJsonText(text: string, how: How): string {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch {
    return how.rewrite(text, 'json')
  }
  if (value === null || typeof value !== 'object') return how.rewrite(text, 'json')
  const made = rewriteIn('data', value, how)
  return JSON.stringify(made) === JSON.stringify(value) ? text : JSON.stringify(made)
}
