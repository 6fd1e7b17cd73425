/** Lets the browser save a text as a file. */
export const save = (name: string, content: string, type = 'application/json'): void =>
  saveBlob(name, new Blob([content], { type }))

/** Lets the browser save bytes as a file. */
export function saveBlob(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser has begun to read it once it has drawn again.
  requestAnimationFrame(() => URL.revokeObjectURL(link.href))
}
