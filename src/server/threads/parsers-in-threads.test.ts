import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Packages that parse a whole file at once, which must not run on the main thread. */
const PARSERS =
  /^(?:hucre|xlsx|exceljs|papaparse|csv-parse|sax|saxes|fast-xml-parser|jszip|unzipper|pako|sharp|pdf-parse)(?:\/|$)/
/** Our own parsers of what anyone sends. */
const OWN_PARSERS = ['parse-adf', 'read-mail', 'unwrap-adf', 'decode-adf', 'clean-adf'].map(
  (name) => `src/server/leads/adf/${name}.ts`,
)
/** Files that may import one for another purpose, with the allowed names. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // Writes workbooks.
  'src/server/reports/xlsx.ts': ['writeXlsxStream'],
  // Reads the product's own data/carbon at startup.
  'src/server/carbon/factors/library-files.ts': ['parseCsv'],
  'src/server/reports/report-workbook.ts': ['writeXlsx'],
}

type Module = { imports: string[]; parsers: { names: string[] }[] }

function readModule(path: string): Module {
  const { module } = parseSync(path, readFileSync(path, 'utf8'))
  const found: Module = { imports: [], parsers: [] }
  const add = (specifier: string, names: string[]): void => {
    if (PARSERS.test(specifier)) found.parsers.push({ names })
    const target = resolve(path, specifier)
    if (target !== null) found.imports.push(target)
  }
  for (const { moduleRequest, entries } of module.staticImports) {
    const used = entries.filter(({ isType }) => !isType)
    if (entries.length === 0 || used.length > 0)
      add(
        moduleRequest.value,
        used.map(({ importName }) => importName.name ?? '*'),
      )
  }
  for (const { entries } of module.staticExports)
    for (const { moduleRequest } of entries) if (moduleRequest !== null) add(moduleRequest.value, ['*'])
  const text = readFileSync(path, 'utf8')
  for (const { moduleRequest, start } of module.dynamicImports) {
    // const { writeXlsx } = await import('hucre/xlsx')
    const [, names] = /\{([\w\s,]+)\}\s*=\s*await\s*$/.exec(text.slice(0, start)) ?? []
    const specifier = text.slice(moduleRequest.start + 1, moduleRequest.end - 1)
    add(specifier, names?.split(',').map((name) => name.trim()) ?? ['*'])
  }
  return found
}

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null
}

/** All transitive imports of the files. Worker threads are started by URL, so they are not included. */
function reachableFrom(starts: readonly string[]): Map<string, Module> {
  const reached = new Map<string, Module>()
  const open = [...starts]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || !path.startsWith('src/')) continue
    const module = readModule(path)
    reached.set(path, module)
    open.push(...module.imports)
  }
  return reached
}

test('the main thread does not parse files', () => {
  const reached = reachableFrom(['src/server/main.ts', ...globSync('src/server/*-command.ts')])
  expect(reached.size).toBeGreaterThan(300)
  const parsing = [...reached].flatMap(([path, { parsers }]) =>
    parsers.flatMap(({ names }) =>
      names.filter((name) => !EXCEPTIONS[path]?.includes(name)).map((name) => `${path}: ${name}`),
    ),
  )
  expect(parsing).toEqual([])
  expect(OWN_PARSERS.filter((path) => reached.has(path))).toEqual([])
})

test('the thread for inbound leads reaches every parser of them', () => {
  const reached = reachableFrom(['src/server/leads/adf/adf-worker.ts'])
  expect(OWN_PARSERS.filter((path) => !reached.has(path))).toEqual([])
  expect([...reached.values()].flatMap(({ parsers }) => parsers)).toHaveLength(1)
})

test('the search finds the imports of the worker threads', () => {
  const reached = reachableFrom(['src/server/spreadsheets/spreadsheet-worker.ts'])
  expect([...reached.values()].flatMap(({ parsers }) => parsers)).toHaveLength(2)
})
