import { ofModels } from '../deployed/models.ts'

/**
 * What MiniStack does otherwise than AWS, by the full name of the test that shows it: such a test fails there without
 * failing the run, and one that passes is reported, so that the list stays true.
 */
export const differences: Record<string, string> = {
  'hostile bodies huge':
    'Hands functions bodies of 8 MB, where Lambda ends at 6 MB and API Gateway at 10: the function refuses what the gateway should.',
  'GET /, GET /openapi.json and GET /docs need no token':
    'Serves the API below a path of its own and tells functions neither that path nor the port, so the address of the docs is wrong.',
  ...ofModels,
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
