import { expect, test } from 'vitest'
import { machineForms } from '../../../shared/engine/formats/office/machine-forms.ts'

test.each([
  ['03.04.2024', ['45385', '2024-04-03', '3042024']],
  ['03/04/2024', ['45385', '2024-04-03', '45355', '2024-03-04', '3042024']],
  ['25.12.2024', ['45651', '2024-12-25', '25122024']],
])('%s stands as %j in what programs read', (text, forms) => {
  expect(machineForms(text)).toEqual(forms)
})
