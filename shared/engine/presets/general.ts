import { shippedModels } from '../models/catalogue.ts'
import { type LabelGroup, labelsOf } from '../models/label-groups.ts'
import type { Preset } from './preset.ts'

const labelsIn = (group: LabelGroup) =>
  labelsOf({ labels: [...new Set(shippedModels.flatMap(({ labels }) => labels))] }, [group])
const direct = labelsIn('direct')
const quasi = labelsIn('quasi')

/** What nobody is told by in most texts: prices and sums stay, or most tables would say nothing more. */
const keptByDefault = ['QUANTITY']

/** Presets that follow no list of one country or trade. */
export const general: readonly Preset[] = [
  {
    id: 'default',
    version: '3.2.0',
    title: 'Everything that may tell who somebody is',
    description: 'All that the shipped models find but quantities, each replaced by its label.',
    labels: { direct, quasi: quasi.filter(label => !keptByDefault.includes(label)) },
  },
  {
    id: 'gdpr-direct',
    version: '3.2.0',
    title: 'Direct identifiers',
    description:
      'Names, addresses, numbers and online identifiers that lead to one person by themselves. What is left is pseudonymised at best: dates, places, employers and other facts stay, by which a person may still be recognised (recital 26 of the GDPR).',
    labels: { direct, quasi: [] },
    sources: ['Regulation (EU) 2016/679, article 4(1) and recitals 26 and 30'],
  },
  {
    id: 'gdpr-direct-and-quasi',
    version: '3.2.0',
    title: 'Direct and quasi-identifiers',
    description:
      'Direct identifiers, and the facts by which somebody may be recognised together with others: dates, ages, places, organisations, professions, origins and quantities. Costs more of the harmless text than any other preset.',
    labels: { direct, quasi },
    sources: [
      'Regulation (EU) 2016/679, article 4(1) and recitals 26 and 30',
      'Article 29 Working Party, opinion 05/2014 on anonymisation techniques (WP216)',
    ],
  },
]
