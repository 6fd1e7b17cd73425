import type { Format } from '../format.ts'
import { looksLikePackage } from '../zip/head.ts'

const shared = {
  type: 'DOCUMENT',
  propagates: true,
  keepsText: true,
  // Loaded when a file is opened: telling formats apart needs none of it.
  open: async (input, context) => (await import('./read.ts')).openDocument(input, context),
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyDocument(output, expected, context),
} as const satisfies Partial<Format>

/** Word documents, with or without macros (which are left out). */
export const docx: Format = {
  ...shared,
  id: 'docx',
  mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  matches: (head, name) => looksLikePackage(head, name, 'word/', docx.extensions),
}

/** PowerPoint presentations, with or without macros (which are left out). */
export const pptx: Format = {
  ...shared,
  id: 'pptx',
  mediaType: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
  matches: (head, name) => looksLikePackage(head, name, 'ppt/', pptx.extensions),
}
