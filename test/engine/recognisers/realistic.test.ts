import { expect, test } from 'vitest'
import { withInitials } from '../../../shared/engine/detect/name-parts.ts'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

const found = (text: string, label: string, language?: string) =>
  recognise(text, { threshold: 0.5, entities: [label], language }).map(({ start, end }) => text.slice(start, end))

test.each([
  ['write to anna.k at corre-o dot example', 'EMAIL', 'anna.k at corre-o dot example'],
  ['mail jule.b (at) post punkt example ok', 'EMAIL', 'jule.b (at) post punkt example'],
  ['écrire à g.roux arobase la-poste point example', 'EMAIL', 'g.roux arobase la-poste point example'],
  ['mejl rima_h snabel-a mejl punkt example', 'EMAIL', 'rima_h snabel-a mejl punkt example'],
  ['C:\\Users\\qbellamy\\AppData\\x.db', 'USERNAME', 'qbellamy'],
  ['in /home/t.osei/.ssh/config', 'USERNAME', 't.osei'],
  ['stale token sid=9f8b2c7d41e04fa6b5c8', 'SECRET', '9f8b2c7d41e04fa6b5c8'],
  ['Portkod: 4718', 'SECRET', '4718'],
  ['App. -214 wählen', 'PHONE', '214'],
  ['Fax -4099', 'PHONE', '4099'],
  ['at grid ref TQ 3871 9042', 'COORDINATES', 'TQ 3871 9042'],
  ['osobní automobil Škoda, RZ 4U7 1822', 'VEHICLE_ID', '4U7 1822'],
  ['autem o nr rej. WGM 4418K', 'VEHICLE_ID', 'WGM 4418K'],
  ['en röd bil, reg.nr KTX 47L', 'VEHICLE_ID', 'KTX 47L'],
  ['a viatura AA 04 QT', 'VEHICLE_ID', 'AA 04 QT'],
  ['targa EB471ZX', 'VEHICLE_ID', 'EB471ZX'],
  ['quadro n.º VF15R0G0H50471822', 'VEHICLE_ID', 'VF15R0G0H50471822'],
  ['s/n SR471822009SE', 'ID', 'SR471822009SE'],
  ['przesyłka 620047182200918220047182 dotarła', 'ID', '620047182200918220047182'],
  ['médica, O.M. n.º 47182', 'ID', '47182'],
  ['č. TP UI 471822', 'ID', 'UI 471822'],
  ['nar. 1. května 2011', 'DATE_OF_BIRTH', '1. května 2011'],
  ['F. nac.: 08-XI-1957', 'DATE_OF_BIRTH', '08-XI-1957'],
  ['PURKISS b. 1983, no address', 'DATE', '1983'],
  ['Termin am 24.12 um', 'DATE', '24.12'],
  ["Datum 9-11-'23", 'DATE', "9-11-'23"],
  ['45letá prodavačka', 'AGE', '45letá'],
  ['70-årig kvinna', 'AGE', '70-årig'],
  ['Male, approx. 40, slim', 'AGE', '40'],
  ['snart elva år', 'AGE', 'elva år'],
  ['Saint-Aubin (76550)', 'LOCATION', '76550'],
  ['PSČ 160 00', 'LOCATION', '160 00'],
  ['Firma Dřevo Jizera, a. s. dodala', 'ORGANIZATION', 'Dřevo Jizera, a. s.'],
])('%s is found', (text, label, value) => {
  expect(found(text, label).some(one => one.includes(value))).toBe(true)
})

test.each([
  ['Mme P. soutient que M. E. est parti.', ['P.', 'E.']],
  ['Le gendarme Tessier a noté', ['Tessier']],
  ['svědkyně Vejražková uvedla', ['Vejražková']],
  ['known locally as "Spanner"', ['Spanner']],
  ['Herr Alois IBAN', ['Alois']],
  ['OSVALDIR "DIDI" MEIRELLES', ['DIDI']],
  ['primář MUDr. Hrubý', ['Hrubý']],
])('persons in %s', (text, names) => {
  expect(found(text, 'PERSON')).toEqual(names)
})

test.each([
  ['o meu nome é gaspar', 'pt', ['gaspar']],
  ['hallo hildegard, kommst du?', 'de', ['hildegard']],
  ['meine frau kommt morgen, herr kollege, hallo zusammen', 'de', []],
  ['ciao ragazzi, grazie mille', 'it', []],
  ['Anna: máš číslo na grzegorz\nPiotr: nie\nAnna: piotr, dobry', 'pl', ['Anna', 'grzegorz', 'Piotr', 'Anna', 'piotr']],
  [
    '21:04 - Jule K. aus Ulm 🌻: da\n21:05 - Tjorven: ja\n21:06 - Tjorven: gut',
    'de',
    ['Jule K. aus Ulm', 'Tjorven', 'Tjorven'],
  ],
  ['anneliese: kdo\nwendelin: já\nanneliese: ok', 'de', ['anneliese', 'wendelin', 'anneliese']],
])('names in lower case: %s', (text, language, names) => {
  expect(found(text, 'PERSON', language)).toEqual(names)
})

test.each([
  '[08:14:02] INFO: started\n[08:14:03] WARN: low\n[08:14:04] INFO: done\n[08:14:05] WARN: x',
  'feat: add\nfix: b\nfix: c\nfeat: d',
  'image: a\nimage: b\nports: c\nports: d',
])('programs are no speakers: %s', text => expect(found(text, 'PERSON')).toEqual([]))

test.each([
  'ISO27001:2013, EN60601-1-2, CVE-2024-12345, SM-G991BZKD, RTX4090',
  'at 1707638283114 of 20240315081402, ISBN 9783161484100, in all 1000000000',
])('numbers that everybody shares: %s', text => expect(found(text, 'ID')).toEqual([]))

test.each([
  ['Irati G. M. (MIR)', 'Irati', 'Irati G. M.'],
  ['NOVÁKOVÁ J. a', 'NOVÁKOVÁ', 'NOVÁKOVÁ J.'],
  ['VANDEPUTTE G.N.', 'VANDEPUTTE G', 'VANDEPUTTE G.N.'],
  ['Müller, A. und', 'Müller', 'Müller, A.'],
  ['Anna. B. sagt', 'Anna', 'Anna'],
])('initials behind a person: %s', (text, name, whole) => {
  const { end } = withInitials(text, { start: 0, end: name.length })
  expect(text.slice(0, end)).toBe(whole)
})
