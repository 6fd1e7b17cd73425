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
  ['C:\\Users\\48213\\Desktop', 'USERNAME', '48213'],
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
  ["hi yeah my name's jorunn and his name was hildegard something", 'en', ['jorunn', 'hildegard']],
  ['his name is missing, this is fine, this is your call', 'en', []],
  ['ja hier ist dominik wegen der rechnung, hier ist alles wie immer', 'de', ['dominik']],
  ['wir sagten: this is fine, hier ist frank und frei', 'de', []],
  ['dobrý den u telefonu grzegorz', 'cs', ['grzegorz']],
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

test.each([
  ['con carnet profesional número 98.447 y', 'ID', '98.447'],
  ['N. DOC. 2023/0418772 del', 'ID', '2023/0418772'],
  ['CB Visa ****4471, au nom', 'ID', '****4471'],
  ['my card ending 4471 was', 'ID', '4471'],
  ['Tomo 1588, Libro 93, Folio 12, Finca 7.604', 'ID', '93'],
  ['pour les parcelles AB 418 et 419', 'ID', 'AB 418 et 419'],
  ['Geschäftszeichen: BHROSich-2024-4718/6-HW', 'ID', 'BHROSich-2024-4718/6-HW'],
  ['hat den Pkw RO-418 FX gelenkt', 'VEHICLE_ID', 'RO-418 FX'],
  ['un turismo Seat, placa A-4471-EJ', 'VEHICLE_ID', 'A-4471-EJ'],
  ['D.N.I. número 12.345.678-Z, vigente', 'NATIONAL_ID', '12.345.678-Z'],
  ['transferencia a ES58 2095 4418 7760 0318 2276, a', 'IBAN', 'ES58 2095 4418 7760 0318 2276'],
  ['UPI Rs. 118 to malnad.srs@okmgb today', 'USERNAME', 'malnad.srs@okmgb'],
  ['calle Bécquer número nueve, puerta C', 'ADDRESS', 'número nueve, puerta C'],
  ['en la Rodovia SC-283, km 41, fundos', 'ADDRESS', 'SC-283, km 41'],
  ['chez elle, route de Dinant 77. À', 'ADDRESS', 'route de Dinant 77'],
  ['17209 Wredenhagen       17192 Waren', 'LOCATION', '17209'],
  ['Rimouski, QC, G5L 8Y9', 'LOCATION', 'G5L 8Y9'],
  ['Dee Why NSW 2099', 'LOCATION', 'NSW 2099'],
  ['le onzième (11e) jour de janvier', 'DATE', 'onzième (11e) jour de janvier'],
  ['aos 29 dias do mês de janeiro de 2024', 'DATE', '29 dias do mês de janeiro de 2024'],
  ['  05-01   RECIBO PTMO', 'DATE', '05-01'],
  ['geb. 1368/05/12 in', 'DATE_OF_BIRTH', '1368/05/12'],
  ['two children Maisie (9) and Zac', 'AGE', '9'],
  ["He's about forty-five, stocky", 'AGE', 'forty-five'],
  ['de código del portal es 4471#', 'SECRET', '4471#'],
])('%s is found, too', (text, label, value) => {
  expect(found(text, label).some(one => one.includes(value))).toBe(true)
})

test.each([
  ['2019/20 und 2024/25, Tabelle (9)', 'ID'],
  ['Ley n.º 12.345, Decreto nº 9.999/2018', 'ID'],
  ['in 2** or x ** 44, ***', 'ID'],
  ['libro 3 de la serie, pliego suelto, 1000**20', 'ID'],
  ['12-11 Zoll, 1/2 Tasse Milch', 'DATE'],
])('nothing of a person: %s', (text, label) => expect(found(text, label)).toEqual([]))

test('who speaks, where the time stands behind the name on a line of its own', () => {
  const talk = 'Tommi  09:13\nciao a tutti\ngiulia.f  09:15\nsì\nTommi  09:16\nok'
  expect(found(talk, 'PERSON')).toEqual(['Tommi', 'Tommi'])
  expect(found(talk, 'USERNAME')).toEqual(['giulia.f'])
  expect(found('Abfahrt  09:13\nAnkunft  10:15\nAbfahrt  11:00\nAnkunft  12:00', 'PERSON')).toEqual([])
})

test.each([
  ['pasar a nombre de Encarnación', ['Encarnación']],
  ['attn Beverley, please', ['Beverley']],
  ['ein Mann namens Quirin', ['Quirin']],
])('who is named: %s', (text, names) => expect(found(text, 'PERSON')).toEqual(names))

test.each([
  ['Reha 09/2018 bewilligt', 'DATE', '09/2018'],
  ['13.03.  F  Grundpflege', 'DATE', '13.03.'],
  ['23/2 07:30 rustige nacht', 'DATE', '23/2'],
  ['Befund vom 3.5. liegt vor', 'DATE', '3.5.'],
  ['Osteosynthese am 14. 10. durch', 'DATE', '14. 10.'],
  ['hospitalizace 2. 1. – 11.1.2024', 'DATE', '2. 1.'],
  ['interview by Fri 15th', 'DATE', '15th'],
  ['röntgen den 15:e', 'DATE', '15:e'],
  ['am Donnerstag, den 14. um 15 Uhr', 'DATE', '14.'],
  ['bilan des 19 et 26/03/2024', 'DATE', '19'],
  ['26 febr. MDO', 'DATE', '26 febr'],
  ['im Frühjahr 2023 entfernt', 'DATE', 'Frühjahr 2023'],
  ["poetshulp 2015-'18", 'DATE', "2015-'18"],
  ['Geb.-Datum   140379', 'DATE_OF_BIRTH', '140379'],
  ['Âge : 7 ans 4 mois', 'AGE', '7 ans 4 mois'],
  ['Halbbruder Tyler (2 J.)', 'AGE', '2 J.'],
  ['Noor (5 jr.) en', 'AGE', '5 jr.'],
  ['my daughter who is 15 does it', 'AGE', '15'],
  ['sa sœur Romy a 18 mois.', 'AGE', '18 mois'],
  ['he turns nine next week', 'AGE', 'nine'],
  ['Az.: WRZ/Wr-0417-2023', 'ID', 'WRZ/Wr-0417-2023'],
  ['Réf. YLG/mcd 24-0771', 'ID', 'YLG/mcd 24-0771'],
  ['NDA     240011983', 'ID', '240011983'],
  ['call ext 2209', 'PHONE', '2209'],
  ['FR76 1680 7004 1181 2244 7100 352', 'IBAN', 'FR76 1680 7004 1181 2244 7100 352'],
  ['dem Dr. von der Ahe', 'PERSON', 'von der Ahe'],
  ['dominee Postma-de Vries kwam', 'PERSON', 'Postma-de Vries'],
  ['Mw. vd Hullenaar viel', 'PERSON', 'vd Hullenaar'],
  ['GP Dr P Venkataraghavan', 'PERSON', 'P Venkataraghavan'],
  ['ssk Hodan Warsame', 'PERSON', 'Hodan Warsame'],
  ['ihr Ehemann (Hannes) rief', 'PERSON', 'Hannes'],
  ['strejda Dežo ho', 'PERSON', 'Dežo'],
  ['Paraaf: TN/hk', 'PERSON', 'TN/hk'],
  ['Handläggare: Ulla Palmcrantz', 'PERSON', 'Ulla Palmcrantz'],
  ['hallo frau hirschauer,', 'PERSON', 'hirschauer'],
  ['le voisin mr benamou ne', 'PERSON', 'benamou'],
  ['82131 Gauting | T 089', 'LOCATION', 'Gauting'],
  ['Ardfern Medical Practice', 'ORGANIZATION', 'Ardfern Medical Practice'],
])('%s is found in notes and forms', (text, label, value) => {
  expect(found(text, label, 'de')).toContain(value)
})

test.each([
  ['Der Vater (Herzinfarkt) und die Mutter (Diabetes)', 'PERSON'],
  ['the value was 12.05. Then it fell', 'DATE'],
  ['1/2 cup of milk', 'DATE'],
  ['hallo frau und kinder', 'PERSON'],
  ['in the 21st century', 'DATE'],
  ['den 14. Platz belegt', 'DATE'],
])('%s holds none', (text, label) => {
  expect(found(text, label, 'de')).toEqual([])
})

test('initials before a name are part of it, forms of address in one letter are none', () => {
  const whole = (text: string, name: string) => {
    const start = text.indexOf(name)
    const { start: from, end } = withInitials(text, { start, end: start + name.length })
    return text.slice(from, end)
  }
  expect(whole('gez. M.-A. Karadeniz', 'Karadeniz')).toBe('M.-A. Karadeniz')
  expect(whole('Inh. G. Leitgeb', 'Leitgeb')).toBe('G. Leitgeb')
  expect(whole('con Mª Carmen', 'Carmen')).toBe('Mª Carmen')
  expect(whole('chèque de M. Riou', 'Riou')).toBe('Riou')
})

test('a label says who somebody is, without their title', () => {
  expect(found('Prescripteur : Dr Hélène Castaing', 'PERSON', 'fr')).not.toContain('Dr Hélène Castaing')
})
