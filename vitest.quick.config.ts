import { defineConfig, mergeConfig } from 'vitest/config'
import all from './vitest.config.ts'

/**
 * Files that `npm test` leaves to `npm run test:all`: they start services, servers or other programs of their own, read whole
 * collections of files, or try one thing very often.
 */
const slow = [
  // One file, which calls every endpoint, stands for the service.
  'test/api/!(every-endpoint).test.ts',
  'test/{e2e,reliability}/**',
  'test/local/mcp/stdio.test.ts',
  'test/local/{action,anonymise,cloud,conformance,hostile,persistence,setup,start}.test.ts',
  'test/sources/{ftp,google,graph,live,mariadb,mysql,oracle-cells,postgresql,sftp,sqlserver,sqlserver-write}.test.ts',
  // Whole collections of files, and readers and writers that others wrote.
  'test/engine/risk/arx.test.ts',
  'test/engine/formats/{bombs,carriers,corpus,found,found-*,metafile-readers,office-readers,parquet-arrow,pdf-corpus,pdf-looks,reopens,robust}.test.ts',
  // Pictures that are read, changed copies of the engine, files of a gigabyte, a language that is fetched.
  'test/engine/formats/{hostile,language,pdf-bombs,pdf-mutation,pdf-ocr,pictures}.test.ts',
  'test/engine/ocr-halves.test.ts',
  // Tables cut everywhere, a hundred thousand tokens of strangers, ten thousand records, days of guesses.
  'test/engine/split.test.ts',
  'test/engine/tokens/strangers.test.ts',
  'test/store/{lists,login-throttle}.test.ts',
  // Clients in other languages.
  'test/clients/**',
  // Flows in a browser.
  'test/console/{administration,reference,review,review-pages,safety,screens,shadow-run}.test.ts',
  'test/verifier/page.test.ts',
  // The engine as a package, bundles for Lambda, and a synthesis for each setting.
  'test/structure/engine-package.test.ts',
  'test/infra/{bundle,config,dependencies,growth,linters,nag,observability}.test.ts',
]

export default mergeConfig(all, defineConfig({ test: { exclude: slow, env: { SHARE_OF_RUNS: '0.2' } } }))
