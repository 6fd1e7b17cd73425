// Deploys the stack to MiniStack and tests it there: npm run test:ministack [-- VERSION]
import { testDeployed } from '../deployed/run.ts'
import { installMiniStack, startMiniStack } from '../emulators/ministack.ts'
import { differences } from './known-differences.ts'

await testDeployed({
  name: 'MiniStack',
  install: installMiniStack,
  // TLS, because the policies of buckets and queues refuse whoever comes without, and the roles enforced. A function that ran
  // several times at once keeps its processes for half a minute only: there are more than 150 functions, of 80 MB each.
  start: folder => startMiniStack(folder, 'test', { USE_SSL: '1', AUTH: 'true', LAMBDA_WARM_TTL_SECONDS: '30' }),
  prepare: 'test/ministack/grant-workarounds.ts',
  differences,
  limit: 30,
})
