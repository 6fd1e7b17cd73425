import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deflateSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call } from '../call.ts'

const home = mkdtempSync(join(tmpdir(), 'pdf-bombs-'))
afterAll(() => rmSync(home, { recursive: true }))

/** A PDF of numbered objects, the first of which is its catalog; the table of their places is left to the reader. */
const fileOf = (objects: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((object, n) => [
      Buffer.from(`${n + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from(`trailer\n<</Root 1 0 R/Size ${objects.length + 1}>>\n%%EOF\n`),
  ])

const stream = (dict: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${dict}/Length ${bytes.length}>>\nstream\n`), bytes, Buffer.from('\nendstream')])

const catalog = '<</Type/Catalog/Pages 2 0 R>>'
const onePage = [
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>',
]

const zeros = (mebibytes: number) => Buffer.alloc(mebibytes * 2 ** 20)

const bombs: [what: string, type: string, make: () => Buffer][] = [
  [
    'a stream of 512 MiB',
    'limit_exceeded',
    () => fileOf([catalog, ...onePage, stream('/Filter/FlateDecode', deflateSync(zeros(512)))]),
  ],
  [
    'a stream deflated twice',
    'limit_exceeded',
    () =>
      fileOf([catalog, ...onePage, stream('/Filter[/FlateDecode/FlateDecode]', deflateSync(deflateSync(zeros(512))))]),
  ],
  [
    'many streams of 100 MiB',
    'limit_exceeded',
    () => {
      const large = stream('/Filter/FlateDecode', deflateSync(zeros(100)))
      return fileOf([catalog, ...onePage, ...Array.from({ length: 22 }, () => large)])
    },
  ],
  [
    'a million pages',
    'limit_exceeded',
    () =>
      fileOf([
        catalog,
        `<</Type/Pages/Count 1000000/Kids[${'3 0 R '.repeat(1_000_000)}]>>`,
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      ]),
  ],
  [
    'pages that are their own parents',
    'corrupt_file',
    () => fileOf([catalog, '<</Type/Pages/Count 1/Kids[3 0 R]>>', '<</Type/Pages/Parent 2 0 R/Count 1/Kids[2 0 R]>>']),
  ],
  [
    'a history that goes in circles',
    'corrupt_file',
    () =>
      Buffer.from('%PDF-1.7\nxref\n0 1\n0000000000 65535 f \ntrailer\n<</Root 1 0 R/Prev 9>>\nstartxref\n9\n%%EOF\n'),
  ],
]

const engine = (path: string) => fileURLToPath(new URL(`../../../shared/engine/${path}`, import.meta.url))

// In a process of its own, so that the largest memory is that of the refusal.
const program = `
import { anonymise } from ${JSON.stringify(engine('anonymise.ts'))}
import { fileInput } from ${JSON.stringify(engine('input.ts'))}
import { peakMegabytes } from ${JSON.stringify(fileURLToPath(new URL('../../../bench/peak.ts', import.meta.url)))}
import { call, regexRule } from ${JSON.stringify(fileURLToPath(new URL('../call.ts', import.meta.url)))}
let type = 'none'
try {
  await anonymise(call({ input: await fileInput(process.argv[2]), rules: [regexRule('name', 'Zy')] }))
} catch (error) {
  type = error.type
}
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ type, mebibytes: peakMegabytes(), seconds: (user + system) / 1e6 }))
`

describe('bombs are refused by name, in less than 512 MiB', () => {
  writeFileSync(join(home, 'refuse.mjs'), program)
  test.each(bombs)('%s', { timeout: 120_000 }, (_, type, make) => {
    const file = join(home, 'bomb.pdf')
    writeFileSync(file, make())
    const { stdout, stderr } = spawnSync(process.execPath, [join(home, 'refuse.mjs'), file], { encoding: 'utf8' })
    const result = JSON.parse(stdout || JSON.stringify({ stderr }))
    expect(result).toMatchObject({ type })
    expect(result.mebibytes).toBeLessThan(512)
  })
})

/** A page of 99 by 99 points that shows a mesh of some kind of shading: a flag, points and colours for each part. */
const meshOf = (
  kind: number,
  more: string,
  parts: { flag?: number; points: number[][]; colours: number }[],
): Buffer => {
  const written = parts.map(({ flag, points, colours }, i) =>
    Buffer.from([
      ...(flag === undefined ? [] : [flag]),
      ...points.flat(),
      ...Array.from({ length: 3 * colours }, (_, n) => (37 * i + 91 * n) & 255),
    ]),
  )
  const dict = `/ShadingType ${kind}/ColorSpace/DeviceRGB/BitsPerCoordinate 8/BitsPerComponent 8${more}/Decode[0 99 0 99 0 1 0 1 0 1]`
  return fileOf([
    catalog,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Shading<</S 5 0 R>>>>>>',
    stream('', Buffer.from('/S sh')),
    stream(`${dict}/Filter/FlateDecode`, deflateSync(Buffer.concat(written))),
  ])
}

/** The points around a square of a size, as a patch of the sixth kind has them. */
const square = (x: number, y: number, size: number): number[][] => {
  const at = [0, Math.floor(size / 3), Math.floor((2 * size) / 3)]
  return [
    ...at.map(by => [x, y + by]),
    ...at.map(by => [x + by, y + size]),
    ...at.map(by => [x + size, y + size - by]),
    ...at.map(by => [x + size - by, y]),
  ]
}

const cornersOf = (i: number) =>
  [
    [0, 0],
    [255, 0],
    [128, 255],
  ][i % 3] as number[]

describe('meshes', () => {
  const flagged = '/BitsPerFlag 8'
  const dense: [what: string, make: () => Buffer][] = [
    [
      'patches',
      () =>
        meshOf(
          6,
          flagged,
          Array.from({ length: 5000 }, () => ({ flag: 0, points: square(0, 0, 255), colours: 4 })),
        ),
    ],
    [
      'triangles',
      () =>
        meshOf(
          4,
          flagged,
          Array.from({ length: 5000 }, (_, i) => ({ flag: 0, points: [cornersOf(i)], colours: 1 })),
        ),
    ],
    [
      'cells of a lattice',
      () =>
        meshOf(
          5,
          '/VerticesPerRow 2',
          Array.from({ length: 5000 }, (_, i) => ({ points: [[255 * (i % 2), 255 * ((i >> 1) % 2)]], colours: 1 })),
        ),
    ],
    [
      'parts without an area, a million of them,',
      () =>
        meshOf(
          4,
          flagged,
          Array.from({ length: 1_000_000 }, () => ({ flag: 1, points: [[9, 9]], colours: 1 })),
        ),
    ],
  ]
  test.each(dense)('of %s that cover each other are refused before they are drawn', async (_, make) => {
    const start = process.cpuUsage()
    await expect(anonymise(call({ input: bufferInput('mesh.pdf', make()), rules: [] }))).rejects.toMatchObject({
      type: 'limit_exceeded',
    })
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1e6).toBeLessThan(10)
  })

  test('of as many patches beside each other pass', { timeout: 60_000 }, async () => {
    const cells = Array.from({ length: 2500 }, (_, i) => ({
      flag: 0,
      points: square(5 * (i % 50), 5 * Math.floor(i / 50), 5),
      colours: 4,
    }))
    const { report } = await anonymise(call({ input: bufferInput('mesh.pdf', meshOf(6, flagged, cells)), rules: [] }))
    expect(report.rasterised).toEqual([])
  })
})

/** A page that draws a picture so many times, itself or by a form; its mask has as many pixels on a side as asked for. */
const maskedOf = (side: number, times: number, { inForm = false, inItself = false } = {}): Buffer => {
  const image = '/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/Filter/FlateDecode'
  const mask = Buffer.alloc(side * Math.ceil(side / 8))
  const content = (name: string, count: number) => Buffer.from(`/${name} Do `.repeat(count))
  return fileOf([
    catalog,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</P 5 0 R/F 7 0 R>>>>>>',
    stream('', inForm ? content('F', 5) : content('P', times)),
    stream(`${image}/Width 2/Height 2/BitsPerComponent 8/SMask 6 0 R`, deflateSync(Buffer.alloc(4))),
    stream(`${image}/Width ${side}/Height ${side}/BitsPerComponent 1`, deflateSync(mask)),
    stream(
      '/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</P 5 0 R/F 7 0 R>>>>',
      Buffer.concat([content('P', times / 5), content('F', Number(inItself))]),
    ),
  ])
}

/** A page that draws a large picture by a form within a form, so many deep. */
const nestedOf = (side: number, depth: number): Buffer => {
  const image = `/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/Filter/FlateDecode/Width ${side}/Height ${side}/BitsPerComponent 1`
  const form = (draws: number) =>
    stream(`/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X ${draws} 0 R>>>>`, Buffer.from('/X Do'))
  return fileOf([
    catalog,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</XObject<</X 6 0 R>>>>>>',
    stream('', Buffer.from('/X Do')),
    stream(image, deflateSync(Buffer.alloc(side * Math.ceil(side / 8)))),
    ...Array.from({ length: depth }, (_, n) => form(n + 1 < depth ? n + 7 : 5)),
  ])
}

describe('large pictures', () => {
  test.each([
    ['by forms deeper than any reader goes', nestedOf(4200, 5000)],
    ['again and again', maskedOf(10_000, 40)],
    ['in a form again and again', maskedOf(10_000, 40, { inForm: true })],
    ['in a form that draws itself', maskedOf(4200, 5, { inForm: true, inItself: true })],
  ])('that a page draws %s are refused before they are drawn', async (_, bytes) => {
    const start = process.cpuUsage()
    const input = bufferInput('mask.pdf', bytes)
    await expect(anonymise(call({ input, rules: [] }))).rejects.toMatchObject({ type: 'limit_exceeded' })
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1e6).toBeLessThan(5)
  })

  test.each([false, true])('that it draws some times pass (in a form: %s)', { timeout: 60_000 }, async inForm => {
    const input = bufferInput('mask.pdf', maskedOf(4200, 5, { inForm }))
    const { report } = await anonymise(call({ input, rules: [] }))
    expect(report.rasterised).toEqual([])
  })
})

/** States that are saved and never restored, each with one more path to clip by. */
const saves = (times: number) =>
  Buffer.from(
    Array.from(
      { length: times },
      (_, i) => `q ${i % 97} ${i % 89} ${50 + (i % 83)} ${60 + (i % 79)} re W n 0 0 m 9 9 l S`,
    ).join('\n'),
  )

describe('what the reader gives up on is refused by name', () => {
  const refusals: [what: string, objects: (string | Buffer)[]][] = [
    ['states saved fifty thousand times', [catalog, ...onePage, stream('', saves(50_000))]],
    [
      'shapes that cover the page ten thousand times',
      [
        catalog,
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 999 999]/Contents 4 0 R>>',
        stream('', Buffer.from('0 0 m 9 990 l 500 900 l 990 990 l 990 9 l 400 90 l h f\n'.repeat(20_000))),
      ],
    ],
  ]
  test.each(refusals)('%s', { timeout: 120_000 }, (_, objects) => {
    const file = join(home, 'heavy.pdf')
    writeFileSync(file, fileOf(objects))
    const { stdout, stderr } = spawnSync(process.execPath, [join(home, 'refuse.mjs'), file], { encoding: 'utf8' })
    const result = JSON.parse(stdout || JSON.stringify({ stderr }))
    expect(result).toMatchObject({ type: 'limit_exceeded' })
    expect(result.mebibytes).toBeLessThan(512)
    expect(result.seconds).toBeLessThan(10)
  })
})
