import { describe, expect, it } from 'vitest'
import { withInstitutions, withPlaces } from '../../../shared/engine/models/address-blocks.ts'

/** A text without its marks, and what they say that a model has found: `{PERSON:Ida Brandt}`. */
function marked(source: string) {
  const entities: { start: number; end: number; label: string; score: number }[] = []
  let text = ''
  for (const [piece, label, value] of source.matchAll(/\{([A-Z]+):([^}]*)\}|[^{]+/g)) {
    if (label) entities.push({ start: text.length, end: text.length + value!.length, label, score: 0.9 })
    text += value ?? piece
  }
  return { text, entities }
}

type Step = typeof withInstitutions
const labelled = (step: Step, source: string) => {
  const { text, entities } = marked(source)
  return step(text, entities)
    .toSorted((a, b) => a.start - b.start)
    .map(({ start, end, label }) => `${label}: ${text.slice(start, end)}`)
}

describe('withInstitutions', () => {
  it.each([
    '{PERSON:Ida Brandt}\nFactset\n{ADDRESS:Hafenweg 3}',
    '> Frau Dr. {PERSON:Ida Brandt}, MD\n> Factset\n> {ADDRESS:Hafenweg 3}',
    '??? {PERSON:Ida Brandt}\n??? Seeds of Factset\n??? 12 {ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\nHead of sales\nFactset\n{ADDRESS:Hafenweg 3}',
    '{PERSON:ida brandt}\nfactset\n{ADDRESS:hafenweg 3}',
  ])('takes the line between a person and a street: %j', source => {
    expect(labelled(withInstitutions, source).join('\n')).toMatch(/^PERSON: .*\nORGANIZATION: .*factset\nADDRESS: .*$/i)
  })

  it('takes the whole line where the model found a part of it', () => {
    const source = '{PERSON:Ida Brandt}\n{ORGANIZATION:Poncho} App\n{ADDRESS:Hafenweg 3}'
    expect(labelled(withInstitutions, source)).toContain('ORGANIZATION: Poncho App')
  })

  it.each([
    'Yesterday {PERSON:Ida Brandt} moved\nFactset\n{ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\nShe has moved to a house.\n{ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\nTelefon\n{ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\nStreng vertraulich\n{ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\nPersönlich\n{ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\n\nFactset\n\n{ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\nFactset\nOne\nTwo\n{ADDRESS:Hafenweg 3}',
    '{PERSON:Ida Brandt}\nFactset\nShe lives at {ADDRESS:Hafenweg 3}',
  ])('leaves other lines: %j', source => {
    expect(labelled(withInstitutions, source).filter(one => one.startsWith('ORG'))).toEqual([])
  })
})

describe('withPlaces', () => {
  it.each([
    ['{ADDRESS:Hafenweg 3}\nSuite 12\nEdmo\nGabon 21180', ['Hafenweg 3', 'Suite 12', 'Edmo', 'Gabon 21180']],
    ['{ADDRESS:hafenweg 3}\nedmo\ngabon 21180', ['hafenweg 3', 'edmo', 'gabon 21180']],
    ['> {ADDRESS:Hafenweg 3}\n> {LOCATION:Yerevan} 0010\n> Hello', ['Hafenweg 3', 'Yerevan 0010']],
    ['27 {ADDRESS:Hafenweg 3}', ['27 Hafenweg 3']],
  ])('takes all of an address of several lines: %j', (source, values) => {
    expect(labelled(withPlaces, source)).toEqual(values.map(value => `ADDRESS: ${value}`))
  })

  it.each([
    '{ADDRESS:Hafenweg 3}\nInvoice 20245',
    '{ADDRESS:Hafenweg 3}\nTicket 40213',
    '{ADDRESS:Hafenweg 3}\nVersion 1809',
    '{ADDRESS:Hafenweg 3}\nBerlin 2024',
    '{ADDRESS:Hafenweg 3}\nWe met there.\nGabon 21180',
    '{ADDRESS:Hafenweg 3}\n\nGabon 21180',
    'He lives at no. 27 {ADDRESS:Hafenweg 3}',
  ])('leaves what is below or before it: %j', source => {
    expect(labelled(withPlaces, source)).toEqual(['ADDRESS: Hafenweg 3'])
  })
})
