import { App } from 'aws-cdk-lib'
import { bundle } from './bundle.ts'
import { forModels, packForLambda } from './shipped.ts'
import { AnonymisationStack } from './stack.ts'

const app = new App()
const bundles = await bundle()
// On this machine functions find what they need besides their bundles where it is.
if (!app.node.tryGetContext('local')) {
  for (const [name, packages] of [['pipeline.worker'], ['rules.test', forModels]] as const) {
    bundles.set(name, await packForLambda(bundles.get(name)!, packages))
  }
}
new AnonymisationStack(app, 'Anonymisation', { bundles })
