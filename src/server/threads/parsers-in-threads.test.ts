import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import { expect, test } from 'vitest'

/** Packages that parse a whole file at once, which must not run on the main thread. */
const PARSERS =
  /^(?:hucre|xlsx|exceljs|papaparse|csv-parse|sax|saxes|fast-xml-parser|jszip|unzipper|pako|sharp|pdf-parse|parse5|htmlparser2|sanitize-html|mjml|js-yaml|yaml)(?:\/|$)/
/** Calls that parse or unpack a whole text at once. `parse-json.ts` counts the values first. */
const PARSING_CALLS =
  /\bJSON\s*\.\s*parse\b|\.json\(\)|\b(?:gunzip|unzip|inflate|inflateRaw|brotliDecompress|zstdDecompress)Sync\b/g
/** Files that may call them, because what they parse is bounded or our own. */
const BOUNDED: Readonly<Record<string, string>> = {
  'src/server/threads/parse-json.ts': 'counts the values first',
  'src/server/formats/json-rows.ts': 'one row of a stream, whose length is limited',
  'src/server/marketing/forms/proof-of-work.ts': 'at most 2,000 characters',
  'src/server/outside/postmark.ts': 'the response of Postmark, whose address only the operator can set',
  'src/server/http/serve.ts': 'our own response, in tests',
  'src/server/backup/read-archive.ts': 'our own archive, in a command',
  'src/server/database/embedded/binaries.ts': 'a package of the product',
  'src/server/installation/version.ts': 'a package of the product',
  'src/server/marketing/site/site-assets.ts': 'a file of the product',
  'src/server/vehicles/vin/table.ts': 'a file of the product',
  'src/server/questionnaires/templates/templates.ts': 'files of the product',
  'src/server/assessments/targets/answers.ts': 'a stored version, which was validated',
  'src/server/assessments/results/frozen-targets.ts': 'a stored result, which was validated',
  'src/server/marketing/forms/form-inbox.ts': 'our own file of one form, whose length is limited',
  'src/server/marketing/forms/save-submission.ts': 'our own text of validated answers',
  'src/server/vehicles/vehicles/edit-vehicle.ts': 'a record from the database',
  'src/server/vehicles/vehicles/vehicles.ts': 'records from the database',
  'src/server/pricing/totals/vehicle-price.ts': 'a record from the database',
}
/** Our own parsers of what anyone sends, by the thread they run in. */
const THREADS: Readonly<Record<string, readonly string[]>> = {
  'src/server/leads/adf/adf-worker.ts': [
    'parse-adf',
    'read-mail',
    'unwrap-adf',
    'decode-adf',
    'clean-adf',
  ].map((name) => `src/server/leads/adf/${name}.ts`),
  'src/server/questionnaires/import/import-worker.ts': ['read-surveyjs', 'read-xlsform', 'read-own-file'].map(
    (name) => `src/contract/questionnaires/import/${name}.ts`,
  ),
}
const OWN_PARSERS = Object.values(THREADS).flat()
const WORKERS = globSync('src/server/**/*-worker.ts').filter((path) =>
  readFileSync(path, 'utf8').includes('parentPort'),
)
/** Files that may import one for another purpose, with the allowed names. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // Writes workbooks.
  'src/server/reports/xlsx.ts': ['writeXlsxStream'],
  // Reads the product's own data/carbon at startup.
  'src/server/carbon/factors/library-files.ts': ['parseCsv'],
  // Decodes in threads of its own, two at a time, with a limit of pixels and of time.
  'src/server/files/public-pictures.ts': ['*'],
  // The footer of a customer, at most some thousand characters.
  'src/server/identity/branding/white-label.ts': ['*'],
}

type Module = { imports: string[]; parsers: { names: string[] }[]; calls: string[] }
type ReadSource = (path: string) => string
const read: ReadSource = (path) => readFileSync(path, 'utf8')

const modules = new Map<string, Module>()

function readModule(path: string, text: string): Module {
  const known = modules.get(`${path} ${text}`)
  if (known !== undefined) return known
  const { module, comments } = parseSync(path, text)
  const found: Module = { imports: [], parsers: [], calls: [] }
  for (const { 0: call, index } of text.matchAll(PARSING_CALLS))
    if (!comments.some(({ start, end }) => start <= index && index < end)) found.calls.push(call)
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
  for (const { moduleRequest, start } of module.dynamicImports) {
    // const { writeXlsx } = await import('hucre/xlsx')
    const [, names] = /\{([\w\s,]+)\}\s*=\s*await\s*$/.exec(text.slice(0, start)) ?? []
    const specifier = text.slice(moduleRequest.start + 1, moduleRequest.end - 1)
    add(specifier, names?.split(',').map((name) => name.trim()) ?? ['*'])
  }
  modules.set(`${path} ${text}`, found)
  return found
}

function resolve(from: string, specifier: string): string | null {
  if (specifier.startsWith('#')) return `src/${specifier.slice(1)}`
  return specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : null
}

/** All transitive imports of the files. Worker threads are started by URL, so they are not included. */
function reachableFrom(starts: readonly string[], readFile: ReadSource = read): Map<string, Module> {
  const reached = new Map<string, Module>()
  const open = [...starts]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path) || !path.startsWith('src/')) continue
    const module = readModule(path, readFile(path))
    reached.set(path, module)
    open.push(...module.imports)
  }
  return reached
}

const MAIN_THREAD = ['src/server/main.ts', ...globSync('src/server/*-command.ts')]

/** What the main thread parses, without the exceptions above. */
function findParsing(readFile?: ReadSource): string[] {
  const reached = reachableFrom(MAIN_THREAD, readFile)
  expect(reached.size).toBeGreaterThan(300)
  return [...reached].flatMap(([path, { parsers, calls }]) => [
    ...parsers
      .flatMap(({ names }) => names)
      .filter((name) => !EXCEPTIONS[path]?.includes(name))
      .map((name) => `${path}: ${name}`),
    ...(path in BOUNDED ? [] : calls.map((call) => `${path}: ${call}`)),
    ...(OWN_PARSERS.includes(path) ? [path] : []),
  ])
}

test('the main thread does not parse files', () => {
  expect(findParsing()).toEqual([])
})

test.for([
  ['const mail = JSON.parse(text)', 'JSON.parse'],
  ['const reply = await response.json()', '.json()'],
  ['const rows = gunzipSync(bytes)', 'gunzipSync'],
  [`import { XMLParser } from 'fast-xml-parser'`, 'XMLParser'],
  [`const { parse } = await import('parse5')`, 'parse'],
  [`import '#server/leads/adf/read-mail.ts'`, 'src/server/leads/adf/read-mail.ts'],
  [
    `import '#contract/questionnaires/import/read-surveyjs.ts'`,
    'src/contract/questionnaires/import/read-surveyjs.ts',
  ],
] as const)('the search finds "%s" in a file that main.ts reaches', ([line, found]) => {
  const place = 'src/server/feeds/sources/inbound.ts'
  const findings = findParsing((path) => (path === place ? `${line}\n${read(path)}` : read(path)))
  expect(findings).toContain(found.startsWith('src/') ? found : `${place}: ${found}`)
})

test('every exception is still needed', () => {
  const reached = reachableFrom(MAIN_THREAD)
  expect(Object.keys(BOUNDED).filter((path) => (reached.get(path)?.calls ?? []).length === 0)).toEqual([])
  expect(Object.keys(EXCEPTIONS).filter((path) => (reached.get(path)?.parsers ?? []).length === 0)).toEqual(
    [],
  )
})

test('threads parse JSON of outside content only where its values are counted first', () => {
  expect(WORKERS.length).toBeGreaterThan(3)
  const findings = [...reachableFrom(WORKERS)].flatMap(([path, { calls }]) =>
    calls.filter((call) => call === 'JSON.parse' && !(path in BOUNDED)).map((call) => `${path}: ${call}`),
  )
  expect(findings).toEqual([])
})

test.for(Object.entries(THREADS))('%s reaches each of its parsers', ([worker, parsers]) => {
  const reached = reachableFrom([worker])
  expect(parsers.filter((path) => !reached.has(path))).toEqual([])
})
