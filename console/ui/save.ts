/** Lets the browser save a text as a file. */
export function save(name: string, content: string, type = 'application/json'): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser has begun to read it once it has drawn again.
  requestAnimationFrame(() => URL.revokeObjectURL(link.href))
}
