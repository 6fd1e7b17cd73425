import { peakMegabytes } from '../../../bench/peak.ts'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { EngineError } from '../../../shared/engine/errors.ts'
import { fileInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'

// Anonymises the files that it is given, one after the other, and says what became of each in a line of JSON. In a
// process of its own, so that memory can be measured and a crash is seen.
const rules = [regexRule('canary', '\\bZy\\w*')]
for (const path of process.argv.slice(2)) {
  const start = process.cpuUsage()
  let outcome = 'clean'
  let found = 0
  try {
    const { findings } = await anonymise(call({ input: await fileInput(path), rules }))
    for (const { count } of findings) found += count
  } catch (error) {
    outcome = error instanceof EngineError ? error.type : String(error)
  }
  const { user, system } = process.cpuUsage(start)
  const seconds = (user + system) / 1e6
  console.log(JSON.stringify({ path, outcome, found, seconds, mebibytes: peakMegabytes() }))
}
