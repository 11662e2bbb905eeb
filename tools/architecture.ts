// The rules of ARCHITECTURE.md that the linter cannot check. test/architecture.test.ts runs them.
import { posix } from 'node:path'
import { parseSync } from 'oxc-parser'

/** Every file of the project by its path from the project folder, with its text. */
export type Tree = ReadonlyMap<string, string>

type Import = { from: string; to: string }

/** Allowed dependencies: a domain may use those listed and, in turn, their dependencies. */
const BELOW: Record<string, readonly string[]> = {
  files: [],
  mail: [],
  identity: ['files', 'mail'],
  organizations: ['identity'],
  administration: ['organizations'],
  customers: ['administration'],
  vehicles: ['customers'],
  pricing: ['vehicles'],
  feeds: ['pricing'],
  channels: ['pricing'],
  leads: ['feeds', 'channels'],
  marketing: ['leads'],
  carbon: ['customers'],
  questionnaires: ['customers'],
  assessments: ['carbon', 'questionnaires'],
  participants: ['assessments'],
  home: ['marketing', 'participants'],
  reports: ['marketing', 'participants'],
}

/** Folders without domain knowledge, by source root. */
const MECHANISMS: Record<string, readonly string[]> = {
  contract: ['appearance', 'expressions', 'parsing', 'questions', 'lists', 'jobs'],
  server: [
    'http',
    'database',
    'queue',
    'lists',
    'documents',
    'outside',
    'installation',
    'backup',
    'spreadsheets',
    'threads',
    'snapshots',
    'formats',
  ],
  web: ['api', 'ui', 'session', 'shell', 'questions', 'public'],
  public: ['browser'],
}

const NAMELESS = /^(utils?|helpers?|common|core|lib|services?|types|constants|misc|shared)$/
const LINE_LIMIT = 600
const GENERATED = 'src/server/database/schema.ts'

/** Every violation of the architecture as a sentence; empty if there is none. */
export function findViolations(tree: Tree): string[] {
  const imports = [...tree].flatMap(([path, text]) => (isCode(path) ? readImports(path, text) : []))
  const resolved = imports.map((entry) => ({ ...entry, to: resolve(entry) }))
  const inProduct = resolved.filter(({ from }) => !isTest(from))
  return [
    ...[...tree].flatMap(([path, text]) => [
      ...findLong(path, text),
      ...findBadNames(path),
      ...findOtherClock(path, text),
    ]),
    ...imports.flatMap((entry) => findUnresolved(entry, tree)),
    ...inProduct.flatMap(findForbiddenImport),
    ...findCycles(inProduct),
  ]
}

function findLong(path: string, text: string): string[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  if (path === GENERATED || lines <= LINE_LIMIT) return []
  return [`${path} has ${lines} lines (limit ${LINE_LIMIT}). Split off its second responsibility.`]
}

const CLOCK = 'src/server/clock.ts'
/**
 * Files that may use the system time: how long a process takes to start or stop, when a migration ran, and times that the
 * queue library compares.
 */
const USES_MACHINE_TIME = [
  CLOCK,
  'src/server/database/embedded/server-process.ts',
  'src/server/installation/running-process.ts',
  'src/server/database/migrate.ts',
]
/** The migration that defines `app_now()`. */
const CLOCK_MIGRATION = 1
const MACHINE_TIME = /\bDate\.now\b|\bnew Date\(\)/
const SQL_MACHINE_TIME =
  /(?<![\w.$])(?:now|clock_timestamp|statement_timestamp|transaction_timestamp)\(\)|\b(?:current_date|current_time|current_timestamp|localtime|localtimestamp)\b/i

/** Tests set the product's clock, which code that reads the system time would ignore. */
function findOtherClock(path: string, text: string): string[] {
  const [top = '', root = '', ...rest] = path.split('/')
  if (top === 'migrations' && Number.parseInt(root, 10) > CLOCK_MIGRATION) {
    const found = SQL_MACHINE_TIME.exec(text)?.[0]
    return found === undefined
      ? []
      : [`${path}: "${found}" reads the system time. Use app_now() or today(zone).`]
  }
  if (top !== 'src' || rest.length === 0 || isTest(path) || USES_MACHINE_TIME.includes(path)) return []
  const found = MACHINE_TIME.exec(text)?.[0]
  if (root === 'contract') {
    return found === undefined
      ? []
      : [`${path}: "${found}" reads the system time. Pass the time as an argument.`]
  }
  if (root !== 'server') return []
  const other = found ?? SQL_MACHINE_TIME.exec(text)?.[0]
  return other === undefined
    ? []
    : [`${path}: "${other}" reads the system time. Use ${CLOCK}, or app_now() in SQL.`]
}

function findBadNames(path: string): string[] {
  const [top = '', root = '', folder = '', ...rest] = path.split('/')
  const words = path.split('/').map((word) => word.replace(/\..*$/, ''))
  const violations = words
    .filter((word) => NAMELESS.test(word))
    .map((word) => `${path}: "${word}" is too generic. Name the thing.`)
  const file = path.slice(path.lastIndexOf('/') + 1)
  if (
    isCode(path) &&
    !/^([a-z0-9]+([-.][a-z0-9]+)*|[A-Z][A-Za-z0-9]*(\.[a-z]+)*(?=\.tsx$))\.\w+$/.test(file)
  ) {
    violations.push(`${path}: use kebab-case for files and the component's name for components.`)
  }
  if (top === 'src' && rest.length > 0 && !isFolderOf(root, folder)) {
    violations.push(`${path}: "${folder}" is neither a domain nor a mechanism of ${root}.`)
  }
  return violations
}

function isFolderOf(root: string, folder: string): boolean {
  return folder in BELOW || (MECHANISMS[root]?.includes(folder) ?? false)
}

function findUnresolved(entry: Import, tree: Tree): string[] {
  if (!/^[.#]/.test(entry.to)) return []
  // Vite's suffix to import a file as URL or text.
  const target = resolve(entry).replace(/\?\w+$/, '')
  if (!/\.\w+$/.test(entry.to)) return [`${entry.from} imports ${entry.to} without an extension.`]
  return tree.has(target) ? [] : [`${entry.from} imports ${entry.to}, which doesn't exist.`]
}

/** Dependencies between source roots, mechanisms and domains. Files directly in a source root may import everything in it. */
function findForbiddenImport({ from, to }: Import): string[] {
  const source = placeOf(from)
  const target = placeOf(to)
  if (source === null || target === null) return []
  if (source.root !== target.root) {
    // The server renders the public pages.
    const mayImport = target.root === 'contract' || (source.root === 'server' && target.root === 'public')
    return mayImport ? [] : [`${from} imports from another source root: ${to}.`]
  }
  if (source.folder === null || target.folder === null || source.folder === target.folder) return []
  if (!(target.folder in BELOW)) return []
  if (!(source.folder in BELOW)) {
    // In the contract, a mechanism is shared vocabulary that may refer to domains.
    return source.root === 'contract'
      ? []
      : [`${from}: the mechanism "${source.folder}" imports a domain: ${to}.`]
  }
  if (!reach(source.folder).has(target.folder)) {
    return [`${from}: ${source.folder} may not depend on ${target.folder}: ${to}.`]
  }
  if (source.root === 'contract' || to === `src/${target.root}/${target.folder}/index.ts`) return []
  return [`${from} bypasses the index.ts of ${target.folder}: ${to}.`]
}

/** All dependencies of a domain, direct and indirect. */
function reach(domain: string): Set<string> {
  return new Set((BELOW[domain] ?? []).flatMap((below) => [below, ...reach(below)]))
}

function placeOf(path: string): { root: string; folder: string | null } | null {
  const [top, root, folder, ...rest] = path.split('/')
  if (top !== 'src' || root === undefined || folder === undefined) return null
  return { root, folder: rest.length > 0 ? folder : null }
}

function findCycles(imports: readonly Import[]): string[] {
  const edges = Map.groupBy(imports, ({ from }) => from)
  const isDone = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      cycles.push(`Circular import: ${[...trail.slice(start), path].join(' -> ')}.`)
      return
    }
    if (isDone.has(path)) return
    for (const { to } of edges.get(path) ?? []) visit(to, [...trail, path])
    isDone.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return cycles
}

function readImports(path: string, text: string): Import[] {
  const { module } = parseSync(path, text)
  const reexports = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap((entry) => entry.moduleRequest ?? []),
  )
  const named = [...module.staticImports.map((entry) => entry.moduleRequest), ...reexports].map(
    ({ value }) => value,
  )
  const dynamic = module.dynamicImports
    .map(({ moduleRequest: { start, end } }) => /^['"`](.*)['"`]$/.exec(text.slice(start, end))?.[1])
    .filter((value) => value !== undefined)
  return [...new Set([...named, ...dynamic])].map((to) => ({ from: path, to }))
}

/** Resolves a specifier: `#server/x.ts` is `src/server/x.ts`; packages are unchanged. */
function resolve({ from, to }: Import): string {
  if (/^#(test|e2e)\//.test(to)) return to.slice(1)
  if (to.startsWith('#')) return `src/${to.slice(1)}`
  return to.startsWith('.') ? posix.join(posix.dirname(from), to) : to
}

function isCode(path: string): boolean {
  return /\.(tsx?|mjs)$/.test(path)
}

function isTest(path: string): boolean {
  return !path.startsWith('src/') || /\.(test|fixture)\.tsx?$/.test(path)
}
