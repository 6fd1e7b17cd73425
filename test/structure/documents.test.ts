import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const ours = { exclude: ['**/node_modules/**', '.local/**', 'cdk.out/**', 'dist/**'] }
const pages = globSync('**/*.md', ours)
const decisions = readdirSync('docs/decisions').filter(name => name !== 'README.md')

/** Where the links of a page lead, but for addresses of the web and places within the page. */
const links = (text: string) =>
  [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to!.replace(/#.*/, '')).filter(to => to && !/^\w+:/.test(to))

/** Names of files of ours as pages spell them, without patterns and places to fill in. */
const named = (text: string) =>
  [...text.matchAll(/`((?:bench|client|docs|functions|infra|local|shared|test)\/[\w./-]+\.\w+)`/g)].map(
    ([, path]) => path!,
  )

describe('pages', () => {
  test('every link leads somewhere', () => {
    expect(pages.length).toBeGreaterThan(40)
    const dead = pages.flatMap(page =>
      links(readFileSync(page, 'utf8'))
        .filter(to => !existsSync(join(dirname(page), to)))
        .map(to => `${page}: ${to}`),
    )
    expect(dead).toEqual([])
  })

  test('every file that a page names is there', () => {
    const gone = pages.flatMap(page =>
      named(readFileSync(page, 'utf8'))
        .filter(path => !existsSync(path))
        .map(path => `${page}: ${path}`),
    )
    expect(gone).toEqual([])
  })
})

describe('decisions', () => {
  test('the index lists each once', () => {
    const listed = links(readFileSync('docs/decisions/README.md', 'utf8')).filter(to => !to.startsWith('..'))
    expect(listed.sort()).toEqual(decisions.sort())
  })

  test('are at most forty, each with a number of its own', () => {
    expect(decisions.length).toBeLessThanOrEqual(40)
    expect(new Set(decisions.map(name => name.slice(0, 4))).size).toBe(decisions.length)
  })

  test('that the code or a page cites by number are there', () => {
    const files = [...pages, ...globSync('{shared,functions,infra,local,test,bench,docs}/**/*.{ts,mjs,py}', ours)]
    const gone = files.flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(/\bdecision (\d{4})\b/g)]
        .filter(([, number]) => !decisions.some(name => name.startsWith(number!)))
        .map(([words]) => `${file}: ${words}`),
    )
    expect(gone).toEqual([])
  })
})
