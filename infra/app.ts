import { App } from 'aws-cdk-lib'
import { bundle } from './bundle.ts'
import { packForLambda } from './shipped.ts'
import { AnonymisationStack } from './stack.ts'

const app = new App()
const bundles = await bundle()
const worker = 'pipeline.worker'
// On this machine the worker finds what it needs besides its bundle where it is.
if (!app.node.tryGetContext('local')) bundles.set(worker, await packForLambda(bundles.get(worker)!))
new AnonymisationStack(app, 'Anonymisation', { bundles })
