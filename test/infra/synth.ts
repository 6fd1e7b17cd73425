import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { expectedFunctions } from '../../infra/bundle.ts'
import { AnonymisationStack } from '../../infra/stack.ts'

/** The template with every function that the service consists of, whatever its code. */
export function synthesise(context: Record<string, unknown> = {}): Template {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  const code = join(directory, 'code')
  mkdirSync(code)
  writeFileSync(join(code, 'index.js'), 'exports.handler = () => {}')
  const bundles = new Map([...expectedFunctions().keys()].map(name => [name, code]))
  const app = new App({ context, outdir: join(directory, 'cdk.out') })
  return Template.fromStack(new AnonymisationStack(app, 'Anonymisation', { bundles }))
}
