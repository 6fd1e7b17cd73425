import { assetFailures } from 'anonymisation-engine'
import { describe, expect, test } from 'vitest'
import { de } from '../../console/i18n/de.ts'
import { en } from '../../console/i18n/en.ts'
import { told } from '../../console/i18n/problems.de.ts'
import { checksums } from '../../shared/api/checksums.ts'
import { defaultPermissions } from '../../shared/api/permission-names.ts'
import { problems } from '../../shared/api/problems.ts'

/** What ends a job without being a type of the table of errors, or a failure of a file. */
const ends = ['review_rejected', 'review_expired']

const textOf = (type: string, msg: string): string | undefined => {
  const text = told.problems[type]
  return typeof text === 'function' ? text(msg) : text
}

describe('what the service says in English is there in German:', () => {
  const meanings = Object.entries(problems).map(([type, [, meaning]]): [string, string] => [type, meaning])
  test.each([...meanings, ...Object.entries(assetFailures), ...ends.map(type => [type, type] as const)])(
    '%s',
    (type, meaning) => {
      expect(textOf(type, meaning)).toMatch(/^[A-ZÄÖÜ].*[.:]$/s)
      expect(textOf(type, meaning)).not.toContain(meaning)
    },
  )

  test('what permissions allow, and what they are for', () => {
    expect(Object.keys(de.permission.about).toSorted()).toEqual(Object.keys(defaultPermissions).toSorted())
    const resources = new Set(Object.keys(defaultPermissions).map(name => name.split(':')[0]!))
    for (const { groups } of [en.permission, de.permission])
      expect(Object.keys(groups).toSorted()).toEqual([...resources].toSorted())
  })

  test('what checksums prove', () => {
    for (const [proves] of Object.values(checksums)) expect(told.note(proves)).not.toBe(proves)
  })
})

test.each([
  ['in_use', 'Used by the workflows Letters, Tables', 'Es wird noch verwendet von: Letters, Tables'],
  ['too_small', 'Must be at least 12 characters long', 'Mindestens 12 Zeichen.'],
  ['too_big', 'Must be at most 365', 'Höchstens 365.'],
  [
    'permission_denied',
    'This needs the permissions jobs:write, jobs:any',
    'Dazu fehlen Ihnen die Berechtigungen jobs:write, jobs:any.',
  ],
  ['job_not_pending', 'The job is SUCCEEDED', 'Der Auftrag ist fertig.'],
  [
    'asset_type_mismatch',
    'a.csv is a TABLE, the workflow is for DOCUMENT',
    'a.csv ist eine Tabelle, der Ablauf ist für Dokumente.',
  ],
  ['invalid_format', 'Must be an e-mail address', 'Das ist keine E-Mail-Adresse.'],
])('facts of messages are kept: %s', (type, msg, text) => {
  expect(textOf(type, msg)).toBe(text)
})
