/** A name that every system takes for a file, and never for a folder or a device. */
export function safeName(name: string): string {
  const plain = name.replace(/[\\/:*?"<>|\p{Cc}]/gu, '_').replace(/[. ]+$/, '')
  return plain.replace(/^(?=(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))/i, '_') || '_'
}

/** A safe name that none before has, whether or not a system tells capitals from small letters. */
export function uniqueName(name: string, taken: Set<string>): string {
  const safe = safeName(name)
  const dot = safe.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [safe.slice(0, dot), safe.slice(dot)] : [safe, '']
  for (let n = 1; ; n++) {
    const unique = n === 1 ? safe : `${stem} (${n})${ending}`
    const key = unique.normalize('NFC').toLowerCase()
    if (taken.has(key)) continue
    taken.add(key)
    return unique
  }
}
