// Runs one function by Lambda's runtime API: loads its bundle, takes one event after the other, answers what came of each.
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

const { AWS_LAMBDA_RUNTIME_API, LAMBDA_TASK_ROOT, _HANDLER, ...environment } = process.env
const base = `http://${AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation`

const call = (method, path, body) =>
  new Promise((resolve, reject) => {
    const sent = request(`${base}/${path}`, { method }, async response => {
      resolve({ headers: response.headers, body: await buffer(response) })
    })
    sent.on('error', reject).end(body)
  })

const [module, exported] = _HANDLER.split('.')
const loaded = await import(join(LAMBDA_TASK_ROOT, `${module}.js`))
const handler = loaded[exported] ?? loaded.default[exported]

while (true) {
  const { headers, body } = await call('GET', 'next')
  const id = headers['lambda-runtime-aws-request-id']
  const deadline = Number(headers['lambda-runtime-deadline-ms'])
  process.env._X_AMZN_TRACE_ID = headers['lambda-runtime-trace-id']
  const context = {
    functionName: environment.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: environment.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: environment.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    awsRequestId: id,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  }
  try {
    const answer = (await handler(JSON.parse(body), context)) ?? null
    await call('POST', `${id}/response`, JSON.stringify(answer))
  } catch (error) {
    const { name: errorType, message: errorMessage } = error
    await call('POST', `${id}/error`, JSON.stringify({ errorType, errorMessage, trace: [] }))
  }
}
