/** Placeholders for texts that come back: given by value, and restored though a language model has altered them. */

export { createPlaceholders, type Entry, type Placeholders } from './placeholders/placeholders.ts'
export { contextLength, createRestorer, type Restored, type Restorer, type Writing } from './placeholders/restore.ts'
