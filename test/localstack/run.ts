// Deploys the stack to LocalStack and tests it there: npm run test:localstack [-- [--quick] [VERSION]]
import { testDeployed } from '../deployed/run.ts'
import { installLocalStack, startLocalStack } from '../emulators/localstack.ts'
import { differences } from './known-differences.ts'
import { quickSuites } from './quick-suites.ts'

await testDeployed({
  name: 'LocalStack',
  install: installLocalStack,
  start: startLocalStack,
  differences,
  limit: 120,
  quick: quickSuites,
})
