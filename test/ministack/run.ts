// Deploys the stack to MiniStack and tests it there: npm run test:ministack [-- VERSION]
import { testDeployed } from '../deployed/run.ts'
import { installMiniStack, startMiniStack } from '../emulators/ministack.ts'
import { differences } from './known-differences.ts'

await testDeployed({
  name: 'MiniStack',
  install: installMiniStack,
  // TLS, because the policies of buckets and queues refuse whoever comes without, and the roles enforced.
  start: folder => startMiniStack(folder, 'test', { USE_SSL: '1', AUTH: 'true' }),
  prepare: 'test/ministack/grant-workarounds.ts',
  differences,
  limit: 30,
})
