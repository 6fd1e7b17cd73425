import { createSecretKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'

const makers = new Map<number, Promise<(name: string) => string>>()
function maker(byte: number) {
  const made = makers.get(byte) ?? makeMaker(byte)
  makers.set(byte, made)
  return made
}

async function makeMaker(byte: number) {
  const { load, make } = createSurrogates({ key: createSecretKey(Buffer.alloc(32, byte)), options: {}, found: [] })
  await load(['PERSON'])
  return (name: string) => make('PERSON', name)
}

/** Names in the nominative, each with forms in other cases. */
const forms: Record<string, [string, string][]> = {
  pl: [
    ['Anna Kowalska', 'Anny Kowalskiej, Annę Kowalską, Annie Kowalskiej, Anną Kowalską'],
    ['Jan Kowalski', 'Jana Kowalskiego, Janowi Kowalskiemu, Janem Kowalskim, Janie Kowalskim'],
    ['Marek Nowak', 'Marka Nowaka, Markowi Nowakowi, Markiem Nowakiem, Marku Nowaku'],
    ['Katarzyna Zielińska', 'Katarzyny Zielińskiej, Katarzynę Zielińską, Katarzyną Zielińską'],
    ['Tomasz Wójcik', 'Tomasza Wójcika, Tomaszowi Wójcikowi, Tomaszem Wójcikiem'],
    ['Kowalczyk', 'Kowalczyka, Kowalczykowi, Kowalczykiem'],
  ],
  cs: [
    ['Jan Novák', 'Jana Nováka, Janu Novákovi, Janovi Novákovi, Janem Novákem'],
    ['Jana Nováková', 'Jany Novákové, Janě Novákové, Janu Novákovou, Janou Novákovou'],
    ['Petr Svoboda', 'Petra Svobody, Petrovi Svobodovi, Petrem Svobodou'],
    ['Novotný', 'Novotného, Novotnému, Novotným'],
    ['Tomáš Dvořák', 'Tomáše Dvořáka, Tomášovi Dvořákovi, Tomášem Dvořákem'],
    ['Marie Dvořáková', 'Marii Dvořákové, Marií Dvořákovou'],
    ['Procházka', 'Procházky, Procházkovi, Procházkou'],
  ],
  ru: [
    ['Иван Иванов', 'Ивана Иванова, Ивану Иванову, Иваном Ивановым, Иване Иванове'],
    ['Анна Петрова', 'Анны Петровой, Анне Петровой, Анну Петрову, Анной Петровой'],
    ['Сергей Кузнецов', 'Сергея Кузнецова, Сергею Кузнецову, Сергеем Кузнецовым'],
    ['Мария Соколова', 'Марии Соколовой, Марию Соколову, Марией Соколовой'],
    ['Дмитрий Волков', 'Дмитрия Волкова, Дмитрию Волкову, Дмитрием Волковым'],
    ['Игорь Новиков', 'Игоря Новикова, Игорю Новикову, Игорем Новиковым'],
    ['Иванов', 'Ивановым'],
  ],
  fi: [
    ['Virtanen', 'Virtasen, Virtaselle, Virtaselta, Virtasella, Virtasta, Virtasessa, Virtasesta'],
    ['Pekka Virtanen', 'Pekan Virtasen, Pekalle Virtaselle, Pekkaa Virtasta'],
    ['Matti Korhonen', 'Matin Korhosen, Matille Korhoselle, Mattia Korhosta'],
    ['Anna Mäkinen', 'Annan Mäkisen, Annalle Mäkiselle, Annaa Mäkistä'],
    ['Heikkilä', 'Heikkilän, Heikkilälle, Heikkilältä, Heikkilää, Heikkilässä'],
  ],
}

const common = (one: string, another: string) => {
  let at = 0
  while (at < one.length && one[at] === another[at]) at++
  return at
}

describe.each(Object.entries(forms))('%s', (_, names) => {
  const cases = names.flatMap(([nominative, others]) => others.split(', ').map(form => [form, nominative] as const))

  test('has a table of twenty forms and more', () => {
    expect(cases.length).toBeGreaterThanOrEqual(20)
  })

  test.each(cases)('%s becomes a form of what %s becomes', async (form, nominative) => {
    for (let byte = 1; byte <= 8; byte++) {
      const renamed = await maker(byte)
      const [own, others] = [renamed(form).split(' '), renamed(nominative).split(' ')]
      expect(own).toHaveLength(others.length)
      // Endings of names change by up to three letters.
      for (const [n, word] of own.entries()) {
        const other = others[n]!
        expect(common(word, other), `${form}: ${word} for ${other}`).toBeGreaterThanOrEqual(
          Math.max(1, other.length - 3),
        )
      }
    }
  })
})

test('surrogates are in the case of the name', async () => {
  const renamed = await maker(7)
  const made = (names: string) => names.split(', ').map(renamed).join(', ')
  expect(made('Anna Kowalska, Anny Kowalskiej, Annę Kowalską')).toBe('Núria Konopka, Núrii Konopki, Núrię Konopkę')
  expect(made('Jan Novák, Jana Nováka, Janu Novákovi, Janem Novákem')).toBe(
    'Len Krejčíř, Lena Krejčíře, Lenu Krejčířovi, Lenem Krejčířem',
  )
  expect(made('Иван Иванов, Ивановым, Иваном Ивановым')).toBe('Артём Удачин, Удачиным, Артёмом Удачиным')
  expect(made('Virtanen, Virtasen, Virtaselle, VIRTASEN')).toBe('Halonen, Halosen, Haloselle, HALOSEN')
})

test('a text of many words is taken as it is', async () => {
  const renamed = await maker(1)
  expect(
    renamed(`${'Xq '.repeat(20)}Kowalskiej`)
      .split(' ')
      .at(-1),
  ).not.toBe(renamed('Kowalskiej'))
})

test('a name that is listed as it is written is no form of another', async () => {
  for (let byte = 1; byte <= 8; byte++) {
    const renamed = await maker(byte)
    for (const [name, other] of [
      ['Martina', 'Martin'],
      ['Petra', 'Petr'],
      ['Jana', 'Jan'],
      ['Романа', 'Роман'],
    ])
      expect(renamed(name!)).not.toBe(`${renamed(other!)}a`)
  }
})
