/**
 * Files that `npm test` leaves to `npm run test:all`: they start services, servers or other programs of their own, read whole
 * collections of files, or try one thing very often. test/structure/quick.test.ts holds that some of every part is left.
 */
export const slow = [
  // One file, which calls every endpoint, stands for the service.
  'test/api/!(every-endpoint).test.ts',
  'test/{clients,e2e,reliability}/**',
  // Flows in a browser; that the console is built and loads is looked at.
  'test/console/!(boxes|console|samples|source-forms).test.ts',
  'test/verifier/page.test.ts',
  // Services, threads and commands of their own, which wait for each other.
  'test/local/{mcp/{stdio,there},proxy/{command,libraries,proxy,refused,stream}}.test.ts',
  'test/{log-leak-guard/threads,models/comprehend}.test.ts',
  'test/local/{action,anonymise,cloud,conformance,event-source-poller,hostile,parts,persistence,runner,setup,start}.test.ts',
  'test/sources/{ftp,google,graph,live,mariadb,mysql,oracle-cells,postgresql,s3,sftp,sqlserver,sqlserver-write}.test.ts',
  'test/engine/models/{everywhere,worker}.test.ts',
  // Readers, writers and implementations of others.
  'test/engine/{models/{neighbours,tokenizers},risk/arx,surrogates/numbers-peers}.test.ts',
  'test/engine/formats/{metafile-readers,office-readers,parquet-arrow,xml-parser}.test.ts',
  'test/transparency/{cosign,peers}.test.ts',
  'test/verifier/{commands,log-commands,mutations}.test.ts',
  // Whole collections of files, of names and of tables.
  'test/engine/formats/{carriers,corpus,eml-headers,found,found-*,pdf-corpus,pdf-looks,robust,spelled-values,told}.test.ts',
  'test/engine/{columns/classify,recognisers/checksums,dates/subjects,surrogates/{corpus,job-values,million,used-up},tokens/strangers}.test.ts',
  // Pictures that are read, changed copies of the cutter of PDFs, files of a gigabyte, a language that is fetched.
  'test/engine/formats/{bombs,hostile,image,language,metafile-many,pdf-bombs,pdf-mutation,pdf-ocr,pictures}.test.ts',
  'test/engine/{ocr-halves,review/boxes}.test.ts',
  // Tables cut everywhere, very many patterns, records and parts of files, workers that race, days of guesses.
  'test/engine/{detect/{many-patterns,many-values,slow},long-lists,missing-columns,progress,split,split-lines}.test.ts',
  'test/store/{leases,lists,login-throttle,progress}.test.ts',
  'test/webhooks/faults.test.ts',
  'test/transparency/{extend,tree}.test.ts',
  // The engine and the verifier as packages, bundles for Lambda, and a synthesis for each setting.
  'test/{structure/engine-package,verifier/package,sources/bundle}.test.ts',
  'test/infra/{bundle,config,dependencies,growth,linters,nag,observability,saml-broker}.test.ts',
]

/** Files that wait for minutes of the clock. */
export const waiting = ['test/api/clock.test.ts']

/**
 * Files of the service that change the process they run in, for all that comes after them: the environment, which modules read
 * once, or modules themselves. Each has a process of its own. test/structure/quick.test.ts holds that none is missing.
 */
export const changing = [
  'test/local/function-log.test.ts',
  'test/models/{comprehend,fetch}.test.ts',
  'test/reliability/threads.test.ts',
  'test/sources/{local-swap,s3}.test.ts',
  'test/store/!(reidentifications|sources).test.ts',
  'test/transparency/{cosign,extend,object-lock}.test.ts',
  'test/webhooks/faults.test.ts',
]
