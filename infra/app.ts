import { App } from 'aws-cdk-lib'
import { bundle } from './bundle.ts'
import { AnonymisationStack } from './stack.ts'

new AnonymisationStack(new App(), 'Anonymisation', { bundles: await bundle() })
