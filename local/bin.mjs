#!/usr/bin/env node
// The command `anonymise` from any folder: on the project's own Node.js, as `npm run anonymise` runs it.
process.env.INIT_CWD = process.cwd()
process.env.npm_lifecycle_event = 'anonymise'
process.argv.splice(2, 0, '--omit=dev', 'node', 'local/anonymise.ts')
await import('./setup.mjs')
