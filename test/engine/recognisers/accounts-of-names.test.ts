import { expect, test } from 'vitest'
import { accountsOfNames } from '../../../shared/engine/recognisers/accounts-of-names.ts'

const found = (text: string) => accountsOfNames(text).map(({ start, end }) => text.slice(start, end))

test.each([
  ['Martin Holzapfel: mholzapfel is locked', ['mholzapfel']],
  ['Holzapfel, Martin (holzapfelm)', ['holzapfelm']],
  ['Jürgen Mühlbrandt, user=jmuehlbrandt', ['jmuehlbrandt']],
  ['Łukasz Krztoń: krzton_l and LKRZTON', ['krzton_l', 'LKRZTON']],
  ['Mme Charrondière, compte s.charrondiere', ['s.charrondiere']],
  ['Katarzyna says that nb-katarzyna02 is slow', ['nb-katarzyna02']],
  ['M. Holzapfel: mholzapf', ['mholzapf']],
  ['M. Holzapfelmann: MHOLZAPF', ['MHOLZAPF']],
  ['Hanno Brandstetter (hbrandstetter)', ['hbrandstetter']],
  ['kfenwick22: Kezia Fenwick', ['kfenwick22']],
])('accounts that are called after somebody: %s', (text, accounts) => expect(found(text)).toEqual(accounts))

test.each([
  'Property Lease: please sign',
  'Martin Holzapfel, holzapfel, Holzapfel-Ring, mholzapfel@example.org, https://example.org/mholzapfel',
  'Annual Report: report_2024.pdf, annual-report',
  'The Martin-Holzapfel-Schule, a Martin-like voice',
  'VINGT-QUATRE, E-STOP, Martin',
])('no accounts: %s', text => expect(found(text)).toEqual([]))
