import { App } from 'aws-cdk-lib'
import { bundle, drawing, readingTexts, withModels } from './bundle.ts'
import { ConfigurationError, readConfig } from './config.ts'
import { forModels, forPages, forTexts, packForLambda } from './lambda-assets.ts'
import { AnonymisationStack } from './stack.ts'

const app = new App()
checkConfig()
const bundles = await bundle({ shared: Boolean(app.node.tryGetContext('local')) })
// On this machine functions find what they need besides their bundles where it is.
if (!app.node.tryGetContext('local')) {
  for (const name of withModels) {
    const packages = name === 'pipeline.worker' ? undefined : forModels
    bundles.set(name, await packForLambda(bundles.get(name)!, packages))
  }
  for (const name of drawing) bundles.set(name, await packForLambda(bundles.get(name)!, forPages))
  for (const name of readingTexts) bundles.set(name, await packForLambda(bundles.get(name)!, forTexts))
}
new AnonymisationStack(app, 'Anonymisation', { bundles })

/** Ends with what is wrong with the configuration, before anything is built. */
function checkConfig(): void {
  try {
    readConfig(app.node)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  }
}
