import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { expectedFunctions } from '../../infra/bundle.ts'
import { AnonymisationStack } from '../../infra/stack.ts'

/** The stack, in an app of its own, with every function that the service consists of, whatever its code. */
export function createStack(context: Record<string, unknown> = {}): AnonymisationStack {
  const directory = mkdtempSync(join(tmpdir(), 'stack-'))
  const code = join(directory, 'code')
  mkdirSync(code)
  writeFileSync(join(code, 'index.js'), 'exports.handler = () => {}')
  const bundles = new Map([...expectedFunctions().keys()].map(name => [name, code]))
  const app = new App({ context, outdir: join(directory, 'cdk.out') })
  return new AnonymisationStack(app, 'Anonymisation', { bundles })
}

/** The template of that stack. */
export const synthesise = (context: Record<string, unknown> = {}): Template => Template.fromStack(createStack(context))
