import { ofModels } from '../deployed/models.ts'

const ownResponses =
  "Ignores what the document says of the gateway's own answers: 403 Missing Authentication Token where nothing is."

const outside = 'Answers 404 without the id of the request outside of the stage.'

/**
 * What LocalStack does otherwise than AWS, by the full name of the test that shows it: such a test fails there without
 * failing the run, and one that passes is reported, so that the list stays true.
 */
export const differences: Record<string, string> = {
  'GET /, GET /openapi.json and GET /docs need no token':
    'Serves the API below a path of its own and tells functions HTTP in capitals for the scheme, so the address of the docs is wrong.',
  'EventBridge Scheduler calls what begins the runs of schedules':
    'Keeps schedules of EventBridge Scheduler and calls nothing at their times.',
  'hostile bodies huge':
    'Hands functions bodies of 8 MB, where Lambda ends at 6 MB and API Gateway at 10: the function refuses what the gateway should.',
  'hostile bodies of another media type':
    'Answers 400 without a body to forms in parts that are none, before it looks for the API.',
  'hostile headers, paths and names GET /api/rules/../users/ neither fails nor lets through': ownResponses,
  'hostile headers, paths and names GET /users/ neither fails nor lets through': outside,
  'hostile headers, paths and names GET /API/users/ neither fails nor lets through': outside,
  'every endpoint GET /nothing is not there': ownResponses,
  'every endpoint GET /rules/a/b/c is not there': ownResponses,
  'every endpoint DELETE /rules/ is not there': ownResponses,
  'every endpoint PATCH /rules/ is not there': ownResponses,
  'every endpoint GET /rules/list/more is not there': ownResponses,
  ...ofModels,
}
