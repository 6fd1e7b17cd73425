import { expect, test } from 'vitest'
import { shippedModels } from '../../../shared/engine/models/catalogue.ts'
import { labelGroup, labelsOf } from '../../../shared/engine/models/label-groups.ts'

test('every label of the shipped models is a direct or a quasi-identifier', () => {
  for (const model of shippedModels) {
    expect(model.labels.filter(label => labelGroup(label) === undefined)).toEqual([])
    expect(labelsOf(model, ['direct', 'quasi'])).toEqual([...model.labels])
  }
})

test('a rule may ask for the direct identifiers of a model only', () => {
  const [ner] = shippedModels
  expect(labelsOf(ner!, ['direct'])).toEqual(['PERSON', 'ADDRESS', 'ID', 'PHONE'])
  expect(labelsOf(ner!, ['quasi'])).toContain('DATE')
  expect(labelGroup('SOMETHING')).toBeUndefined()
})
