const otherProcessor =
  "Runs functions on the machine's own processor; the native code of models is packed for Lambda's arm64."

/**
 * What MiniStack does otherwise than AWS, by the full name of the test that shows it: such a test fails there without
 * failing the run, and one that passes is reported, so that the list stays true.
 */
export const differences: Record<string, string> = {
  'hostile bodies huge':
    'Hands functions bodies of 8 MB, where Lambda ends at 6 MB and API Gateway at 10: the function refuses what the gateway should.',
  'GET /, GET /openapi.json and GET /docs need no token':
    'Serves the API below a path of its own and tells functions neither that path nor the port, so the address of the docs is wrong.',
  'a document that a model works on shows it as well': otherProcessor,
  'says what stored and unstored rules find, and why': otherProcessor,
  'near misses are told apart: a checksum that fails, a score below the threshold': otherProcessor,
  'the flow of the client anonymises files by a preset or a workflow, tells how far it is, and fetches what came of them':
    otherProcessor,
  'the flow of the client tells of files that can not be anonymised, without failing itself': otherProcessor,
  'a job runs with a preset, over documents and tables alike, and says which and of which version': otherProcessor,
  'answers what a job makes of a file of the same text, byte for byte': otherProcessor,
  'tells of each finding its place, its rule, why, and where its replacement stands': otherProcessor,
  'takes messages, of which what a model finds in one is replaced in all, and presets': otherProcessor,
  'a session gives the same values the same placeholders, and puts them back': otherProcessor,
  'POST /mcp, legacy version of the protocol anonymises and explains texts by the default preset, another one, or a workflow':
    otherProcessor,
  'POST /mcp, auto version of the protocol anonymises and explains texts by the default preset, another one, or a workflow':
    otherProcessor,
}

/**
 * What MiniStack asks of roles and AWS does not, so that its enforcement of IAM can stay on. Given a statement of a
 * role, the statement that MiniStack needs besides.
 */
export function concessionFor(statement: Statement): Statement | undefined {
  const actions = [statement.Action].flat()
  // AWS knows no action of that name: batches are a matter of the single action.
  if (actions.includes('sqs:SendMessage')) return { ...statement, Action: ['sqs:SendMessageBatch'] }
  // It doesn't know the context of an encryption, so whatever a condition says of it, it refuses.
  if (statement.Condition?.Null) return { Effect: 'Allow', Action: actions, Resource: statement.Resource }
  return undefined
}

export type Statement = {
  Effect: string
  Action: string | string[]
  Resource: string | string[]
  Condition?: Record<string, Record<string, string>>
}
