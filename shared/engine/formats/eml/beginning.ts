/** Names of fields that tell a message from other texts. */
export const tellingFields =
  'from|to|cc|subject|date|received|return-path|message-id|mime-version|content-type|delivered-to'

const before = new RegExp(`^(?:\\xef\\xbb\\xbf)?(?:[ \\t]*\\r?\\n)*(?=From |(?:${tellingFields})[ \\t]*:)`, 'i')

/**
 * The bytes of a message from its first field on, behind a byte order mark and blank lines, which programs leave in files.
 * Lines that end as on old Macs become ordinary ones.
 */
export function fromFirstField(source: string): string {
  const lines = source.includes('\n') ? source : source.replaceAll('\r', '\r\n')
  return lines.replace(before, '')
}
