import { expect, test } from 'vitest'
import type { Discovery } from '../../shared/api/sources.ts'
import { putFile } from '../api/deployed.ts'
import { problemsOf, talk } from '../api/http.ts'
import { useService } from '../api/setup.ts'
import { tableKinds } from '../engine/formats/tables.ts'

const service = await useService()
const ada = await service.person()
const { client } = ada
const { send } = talk(service, ada)

const people = ['Anna Berg', 'Marco Rossi', 'Laura Novak', 'Peter Weber', 'Sophie Dubois', 'Jan Kowalski']
const header = 'patient_id,full_name,birth_date,email,city,zip,sex,diagnosis,visit_date,remark,count'
const row = (n: number) => {
  const name = people[n % people.length]!
  const remark = `Patient says that ${name} will come back in a week with the letter`
  return [
    ...[`PAT-${100_000 + n}`, name, `19${50 + (n % 40)}-03-${10 + (n % 18)}`, `p${n}@clinic.example`, 'Berlin'],
    ...[String(10_115 + n), n % 2 ? 'f' : 'm', n % 2 ? 'Asthma' : 'Migraine', '2021-04-01', remark, String(n % 7)],
  ].join(',')
}
const lines = Array.from({ length: 60 }, (_, n) => row(n))
await putFile(ada.user.id, service.files, 'visits.csv', [header, ...lines, ''].join('\n'))
await putFile(ada.user.id, service.files, 'letter.txt', 'Call Anna Berg')
const { id: source_id } = await client.sources.create({ body: { name: 'Files', kind: 'LOCAL_ASSET', config: {} } })

/** Makes the proposed rules and workflow. */
async function makeWorkflow({ name, rules, risk }: NonNullable<Discovery['workflow']>): Promise<string> {
  const entries = []
  for (const { rule, entries: uses } of rules) {
    const { id: ruleId } = await client.rules.create({ body: rule })
    entries.push(...uses.map(use => ({ ruleId, ...use })))
  }
  const body = { name, supportedAssetType: 'TABLE' as const, config: { rules: entries, risk } }
  return (await client.workflows.create({ body: body as never })).id
}

test('a source tells what the columns of a table are, and proposes a workflow that works', async () => {
  const discovery = await client.sources.discover({ source_id, body: { name: 'visits.csv' } })
  expect(discovery.entry).toMatchObject({ name: 'visits.csv', type: 'file' })
  const told = discovery.columns.map(({ name, status, labels, role }) => [name, role ?? status, labels[0]])
  expect(told).toEqual([
    ['patient_id', 'direct', 'ID'],
    ['full_name', 'direct', 'PERSON'],
    ['birth_date', 'direct', 'DATE_OF_BIRTH'],
    ['email', 'direct', 'EMAIL'],
    ['city', 'quasi', 'LOCATION'],
    ['zip', 'quasi', 'LOCATION'],
    ['sex', 'quasi', 'DEMOGRAPHIC'],
    ['diagnosis', 'sensitive', undefined],
    ['visit_date', 'quasi', 'DATE'],
    ['remark', 'text', expect.anything()],
    ['count', 'nothing', undefined],
  ])
  for (const value of people) expect(JSON.stringify(discovery)).not.toContain(value)
  expect(discovery.workflow!.risk).toEqual({
    quasiIdentifiers: ['birth_date', 'city', 'zip', 'sex', 'visit_date'],
    sensitive: ['diagnosis'],
  })

  const workflowId = await makeWorkflow(discovery.workflow!)
  const loading = { filenames: ['visits.csv'] }
  const { id: job_id } = await client.jobs.load({
    body: { sourceId: source_id, sourceType: 'LOCAL_ASSET', files_load_config: loading },
  })
  await expect
    .poll(async () => (await client.jobs.get({ job_id })).Assets[0]!.status, { timeout: 30_000 })
    .toBe('READY')
  await client.jobs.update({ job_id, body: { workflowId } })
  await client.jobs.execute({ job_id })
  await expect.poll(async () => (await client.jobs.status({ job_id })).status, { timeout: 120_000 }).toBe('SUCCEEDED')
  const { result } = await client.jobs.get({ job_id })
  const output = await (await fetch(result!.assets[0]!.url!)).text()
  const [first, ...rows] = output.trimEnd().split('\n')
  expect(first).toBe(header)
  expect(rows.length).toBe(lines.length)
  expect(rows[0]!.split(',').toSpliced(9, 1)).toEqual([
    ...[expect.stringMatching(/^ID_/), expect.stringMatching(/^PERSON_/), '1950', expect.stringMatching(/^EMAIL_/)],
    ...[expect.stringMatching(/^LOCATION_/), expect.stringMatching(/^10\*+$/), 'm', 'Migraine'],
    ...[expect.stringMatching(/^202\d-\d\d-\d\d$/), '0'],
  ])
  for (const value of [...people, 'clinic.example', 'PAT-']) expect(output).not.toContain(value)
}, 240_000)

test('of a large file only whole lines at its beginning are read', async () => {
  const many = Array.from({ length: 6000 }, (_, n) => row(n % 500))
  const name = 'large.csv'
  await putFile(ada.user.id, service.files, name, [header, ...many, '"an open quote'].join('\n'))
  const { columns } = await client.sources.discover({ source_id, body: { name } })
  expect(columns.map(column => column.name)).toEqual(header.split(','))
  expect(columns.filter(({ role }) => role === 'direct').length).toBe(4)
})

test('a column that no workflow can name stays out of the proposal', async () => {
  const name = 'keys.ndjson'
  const long = 'mail '.repeat(101)
  const records = Array.from({ length: 30 }, (_, n) => ({
    [long]: `p${n}@clinic.example`,
    mail: `q${n}@clinic.example`,
  }))
  await putFile(ada.user.id, service.files, name, records.map(record => JSON.stringify(record)).join('\n'))
  const { columns, workflow } = await client.sources.discover({ source_id, body: { name } })
  const named = columns.map(column => [column.name, column.labels, column.replacement !== null])
  expect(named).toEqual([
    [long, ['EMAIL'], false],
    ['mail', ['EMAIL'], true],
  ])
  expect(workflow!.rules.map(({ entries }) => entries.map(entry => entry.columns))).toEqual([[['mail']]])
})

/** An asset of a job with this file, loaded from the source. */
async function loaded(name: string): Promise<string> {
  const files_load_config = { filenames: [name] }
  const { id: job_id } = await client.jobs.load({
    body: { sourceId: source_id, sourceType: 'LOCAL_ASSET', files_load_config },
  })
  const asset = async () => (await client.jobs.get({ job_id })).Assets[0]!
  await expect.poll(async () => (await asset()).status, { timeout: 30_000 }).toBe('READY')
  return (await asset()).id
}

test('every kind of table is looked through once a job has it, with the same outcome', async () => {
  const expected = await client.sources.discover({ source_id, body: { name: 'visits.csv' } })
  const cells = lines.map(line => line.split(','))
  for (const kind of tableKinds.filter(({ name }) =>
    ['t.xlsx', 't.ods', 't.parquet', 't.json', 't.tsv'].includes(name),
  )) {
    await putFile(ada.user.id, service.files, kind.name, kind.make(header.split(','), cells))
    const asset_id = await loaded(kind.name)
    const found = await client.assets.columns({ asset_id })
    expect([kind.name, found.columns]).toEqual([kind.name, expected.columns])
    expect(found.workflow).toEqual({ ...expected.workflow, name: kind.name })
    for (const value of people) expect(JSON.stringify(found)).not.toContain(value)
  }
  const elsewhere = await send('POST', `/sources/${source_id}/discover`, { name: 't.xlsx' })
  expect([elsewhere.status, problemsOf(elsewhere)[0]!.type]).toEqual([400, 'source_unsupported'])
  expect(problemsOf(elsewhere)[0]!.msg).toContain('Load other tables into a job')
}, 120_000)

test('an asset that is no table, is damaged, or belongs to somebody else is refused', async () => {
  const kind = tableKinds.find(({ name }) => name === 't.xlsx')!
  const bytes = Buffer.from(kind.make(['mail'], [['a@example.org']]))
  const files = [
    { name: 'letter.txt', content: 'Call Anna Berg' },
    { name: 'cut.xlsx', content: Uint8Array.from(bytes.subarray(0, bytes.length - 40)) },
    { name: 'wide.csv', content: `${Array.from({ length: 1500 }, (_, n) => `c${n}`).join(',')}\n` },
  ]
  const { Assets } = await client.jobs.upload({ body: { name: 'Odd' }, files })
  const stranger = talk(service, await service.person())
  for (const { id } of Assets) {
    const reply = await send('GET', `/assets/${id}/columns`)
    expect([reply.status, problemsOf(reply)[0]!.type]).toEqual([400, 'columns_unknown'])
    expect((await stranger.send('GET', `/assets/${id}/columns`)).status).toBe(404)
  }
})

test('what cannot be looked through is refused', async () => {
  const refused = async (body: object, id = source_id) => {
    const reply = await send('POST', `/sources/${id}/discover`, body)
    return [reply.status, problemsOf(reply)[0]!.type, problemsOf(reply)[0]!.loc]
  }
  expect(await refused({ name: 'letter.txt' })).toEqual([400, 'source_unsupported', ['body', 'name']])
  await putFile(
    ada.user.id,
    service.files,
    'wide.csv',
    `${Array.from({ length: 1500 }, (_, n) => `c${n}`).join(',')}\n`,
  )
  expect(await refused({ name: 'wide.csv' })).toEqual([400, 'source_unsupported', ['body', 'name']])
  expect(await refused({ name: 'gone.csv' })).toEqual([400, 'source_not_found', ['body', 'name']])
  expect(await refused({})).toEqual([422, expect.anything(), ['body', 'name']])
  const stranger = await service.person()
  const theirs = await talk(service, stranger).send('POST', `/sources/${source_id}/discover`, { name: 'visits.csv' })
  expect(theirs.status).toBe(404)
})
