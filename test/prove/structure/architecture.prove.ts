import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { findViolations } from '../../../tools/architecture.ts'

const project = resolve(import.meta.dirname, '../../..')
const check = (files: Record<string, string>): string[] => findViolations(new Map(Object.entries(files)))

/** The files and folders in backquotes on a page, except names without a folder, and patterns. */
async function readNamedPaths(page: string): Promise<string[]> {
  const text = await readFile(join(project, page), 'utf8')
  const named = [...text.matchAll(/`([^`\s{]+(?:\/|\.(?:ts|tsx|css|sql)))`/g)].map(([, path = '']) => path)
  return [...new Set(named)].filter((path) => /^[^<*]+\/[^<*]+$/.test(path))
}

test.for([
  'docs/asvs.md',
  'docs/specification.md',
  'docs/SPEC-GAPS.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
])('every file that %s names exists', async (page) => {
  const named = await readNamedPaths(page)
  expect(named.length).toBeGreaterThan(40)
  // Some pages leave out the source root: `contract/menu.ts`, `identity/sessions/`.
  const exists = (path: string) =>
    ['', 'src', 'src/server'].some((folder) => existsSync(join(project, folder, path)))
  expect(named.filter((path) => !exists(path))).toEqual([])
})

test('the first lines of docs/specification.md count its rows', async () => {
  const text = await readFile(join(project, 'docs/specification.md'), 'utf8')
  const statuses = [...text.matchAll(/^\| \d+ \|.*\| ([^|]*) \|$/gm)].map(([, status = '']) => status)
  const count = (pattern: RegExp) => statuses.filter((status) => pattern.test(status)).length
  const [done, part, open] = [count(/^done$/), count(/^part: /), count(/^not built yet$/)]
  expect(done + part + open).toBe(237)
  expect(text).toContain(`Today: ${done} done, ${part} part, ${open} not built yet.`)
})

test('does not report allowed code', () => {
  expect(
    check({
      'src/contract/customers/lots/lots.ts': 'export const lots = 1',
      'src/server/app.ts': `import { lots } from './customers/lots/lots.ts'\nexport const app = lots`,
      'src/server/http/serve.ts': `import { lots } from '#contract/customers/lots/lots.ts'\nexport const serve = lots`,
      'src/server/customers/index.ts': `export { lots } from './lots/lots.ts'`,
      'src/server/customers/lots/lots.ts': `import { lots as ours } from '#contract/customers/lots/lots.ts'\nexport const lots = ours`,
      'src/server/home/dashboard.ts': `import { lots } from '#server/customers/index.ts'\nexport const dashboard = lots`,
      'src/server/clock.ts': 'export const now = () => Date.now()',
      'src/server/home/count.ts':
        'export const day = sql`select today(${zone}), app_now(), performance.now()`',
      'migrations/0001-foundation.sql': 'select now();',
      'src/web/ui/Card.tsx': 'export const card = 1',
      'src/web/ui/idle.test.ts': `import { card } from './Card.tsx'\nexport const idle = card`,
    }),
  ).toEqual([])
})

test.for([
  [
    'an import of another domain past its index.ts',
    {
      'src/server/customers/lots/lots.ts': '',
      'src/server/home/a.ts': `import '#server/customers/lots/lots.ts'`,
    },
    'src/server/home/a.ts bypasses the index.ts of customers: src/server/customers/lots/lots.ts.',
  ],
  [
    'an import of a higher domain',
    {
      'src/server/customers/index.ts': '',
      'src/server/identity/a.ts': `export * from '../customers/index.ts'`,
    },
    'src/server/identity/a.ts: identity may not depend on customers: src/server/customers/index.ts.',
  ],
  [
    'an import of a domain on the same level',
    {
      'src/contract/carbon/a.ts': '',
      'src/contract/marketing/b.ts': `import type { A } from '#contract/carbon/a.ts'`,
    },
    'src/contract/marketing/b.ts: marketing may not depend on carbon: src/contract/carbon/a.ts.',
  ],
  [
    'a dynamic import across source roots',
    { 'src/server/app.ts': '', 'src/web/main.ts': `await import('#server/app.ts')` },
    'src/web/main.ts imports from another source root: src/server/app.ts.',
  ],
  [
    'a mechanism that imports a domain',
    { 'src/web/customers/index.ts': '', 'src/web/ui/a.ts': `import '../customers/index.ts'` },
    'src/web/ui/a.ts: the mechanism "ui" imports a domain: src/web/customers/index.ts.',
  ],
  [
    'a circular import',
    { 'src/server/http/a.ts': `import './b.ts'`, 'src/server/http/b.ts': `import type { A } from './a.ts'` },
    'Circular import: src/server/http/a.ts -> src/server/http/b.ts -> src/server/http/a.ts.',
  ],
  [
    'a file of 601 lines',
    { 'tools/a.mjs': 'void 0\n'.repeat(601) },
    'tools/a.mjs has 601 lines (limit 600). Split off its second responsibility.',
  ],
  [
    'a meaningless file name',
    { 'src/server/http/helpers.ts': '' },
    'src/server/http/helpers.ts: "helpers" is too generic. Name the thing.',
  ],
  [
    'a file name in another style',
    { 'src/server/http/readBody.ts': '' },
    "src/server/http/readBody.ts: use kebab-case for files and the component's name for components.",
  ],
  [
    'an unknown folder',
    { 'src/contract/billing/a.ts': '' },
    'src/contract/billing/a.ts: "billing" is neither a domain nor a mechanism of contract.',
  ],
  [
    'server code that uses the system clock',
    { 'src/server/http/a.ts': 'export const at = () => Date.now()' },
    'src/server/http/a.ts: "Date.now" reads the system time. Use src/server/clock.ts, or app_now() in SQL.',
  ],
  [
    'SQL that uses the system clock',
    { 'src/server/http/a.ts': 'export const at = sql`select now()`' },
    'src/server/http/a.ts: "now()" reads the system time. Use src/server/clock.ts, or app_now() in SQL.',
  ],
  [
    'SQL that uses the system date',
    { 'src/server/http/a.ts': 'export const at = sql`select current_date`' },
    'src/server/http/a.ts: "current_date" reads the system time. Use src/server/clock.ts, or app_now() in SQL.',
  ],
  [
    'a migration that uses the system clock',
    { 'migrations/0053-a.sql': 'create table a (at timestamptz default now());' },
    'migrations/0053-a.sql: "now()" reads the system time. Use app_now() or today(zone).',
  ],
  [
    'a contract that uses the system clock',
    { 'src/contract/customers/a.ts': 'export const year = () => new Date().getFullYear()' },
    'src/contract/customers/a.ts: "new Date()" reads the system time. Pass the time as an argument.',
  ],
  [
    'an import without an extension',
    { 'src/server/a.ts': '', 'src/server/b.ts': `import '#server/a'` },
    'src/server/b.ts imports #server/a without an extension.',
  ],
  [
    'an import of a missing file',
    { 'test/a.ts': `import '#contract/lots.ts'` },
    "test/a.ts imports #contract/lots.ts, which doesn't exist.",
  ],
] as const)('reports %s', ([, files, violation]) => {
  expect(check(files)).toEqual([violation])
})

test('allows a long generated schema', () => {
  expect(check({ 'src/server/database/schema.ts': '\n'.repeat(1_000) })).toEqual([])
})

test('the linter fails for each forbidden import', async () => {
  const violations = {
    'src/contract/a.ts': 'fastify',
    'src/contract/b.ts': '#server/environment.ts',
    'src/server/customers/c.ts': '#web/api/client.ts',
    'src/server/customers/d.ts': 'react-dom/client',
    'src/server/http/e.ts': '#server/customers/index.ts',
    'src/web/customers/f.ts': 'node:fs',
    'src/web/customers/g.ts': '#server/app.ts',
    'src/web/ui/h.ts': '#web/customers/index.ts',
  }
  const { code, output } = await lintImports(violations)
  expect(code).toBe(1)
  const reported = Object.entries(violations).filter(([path, name]) =>
    output.includes(`${path}:1:1: '${name}' import is restricted`),
  )
  expect(reported.map(([path]) => path)).toEqual(Object.keys(violations))

  const allowed = {
    'src/contract/a.ts': 'zod',
    'src/contract/b.ts': './a.ts',
    'src/server/http/c.ts': 'fastify',
  }
  expect((await lintImports(allowed)).code).toBe(0)
})

/** Lints a temporary tree, in which each file has one import, with the project's settings. */
async function lintImports(imports: Record<string, string>): Promise<{ code: number; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-planted-'))
  try {
    await cp(join(project, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
    for (const [path, name] of Object.entries(imports)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), `import { thing } from '${name}'\n\nexport const kept = thing\n`)
    }
    return await runLint(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

function runLint(folder: string): Promise<{ code: number; output: string }> {
  const args = [join(project, 'node_modules/oxlint/bin/oxlint'), '-f', 'unix', 'src']
  return new Promise((done) => {
    execFile(process.execPath, args, { cwd: folder }, (error, stdout) => {
      done({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout })
    })
  })
}
