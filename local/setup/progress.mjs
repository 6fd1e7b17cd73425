/** How often a line is written where lines can't be overwritten, milliseconds. */
const LINE_MS = 5000

/** Shows how many of a number of things are done, as often as makes sense for the output. Call the result to end it. */
export function showProgress(label, total, count) {
  const started = Date.now()
  const seconds = () => Math.round((Date.now() - started) / 1000)
  const terminal = process.stderr.isTTY
  const show = () => {
    const line = `${label}: ${count()} of ${total}, ${seconds()} s`
    process.stderr.write(terminal ? `\r\x1b[K${line}` : `${line}\n`)
  }
  process.stderr.write(terminal ? `${label} ...` : `${label} ...\n`)
  const timer = setInterval(show, terminal ? 500 : LINE_MS)
  return () => {
    clearInterval(timer)
    process.stderr.write(`${terminal ? '\r\x1b[K' : ''}${label}: ${seconds()} s\n`)
  }
}
