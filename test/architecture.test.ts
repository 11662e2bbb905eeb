import { execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { findViolations, type Tree } from '../tools/architecture.ts'

const project = resolve(import.meta.dirname, '..')
const ROOTS = ['src', 'test', 'e2e', 'tools', 'demo', 'bench', 'migrations']

async function readTree(): Promise<Tree> {
  const paths = await Promise.all(ROOTS.map(listFiles))
  return new Map(
    await Promise.all(
      paths.flat().map(async (path) => [path, await readFile(join(project, path), 'utf8')] as const),
    ),
  )
}

async function listFiles(root: string): Promise<string[]> {
  const entries = await readdir(join(project, root), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(project, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

test('the code follows the rules in ARCHITECTURE.md', async () => {
  expect(findViolations(await readTree())).toEqual([])
})

test('only what runs outside the transaction of a handler is given the proof of that', async () => {
  const tree = await readTree()
  const holders = [...tree].flatMap(([path, text]) =>
    path.startsWith('src/') && /^import \{[^}]*\bOUTSIDE\b/m.test(text) ? [path] : [],
  )
  expect(holders.toSorted()).toEqual([
    'src/server/app.ts',
    'src/server/database/tenant-transaction.ts',
    'src/server/http/serve.ts',
  ])
})

test('numbers are typed into NumberField, because the one of Mantine drops what it cannot read', async () => {
  const tree = await readTree()
  const others = [...tree].filter(
    ([path, text]) => path.startsWith('src/web/') && /<NumberInput\b/.test(text),
  )
  expect(others.map(([path]) => path)).toEqual([])
})

test('typed numbers are read by one function, which drops nothing to make a number of a text', async () => {
  const tree = await readTree()
  const own = /\.replace(All)?\((','|\/,|\/\[[^\]]*,|\/\[\^\\d)|: Number\.NaN\b/
  const others = [...tree].filter(([path, text]) => path.startsWith('src/web/') && own.test(text))
  expect(others.map(([path]) => path).toSorted()).toEqual([
    // Takes the numbers of the filter language, whose commas stand between thousands.
    'src/web/ui/filter/condition.ts',
    // Digits that the grid has read.
    'src/web/vehicles/vehicles/grid/vehicle-rows.ts',
  ])
})

test('no field for a number cuts what is typed or pasted to another number', async () => {
  const tree = await readTree()
  const fields = [...tree].flatMap(([path, text]) =>
    path.startsWith('src/web/')
      ? [...text.matchAll(/<TextInput\b(?:[^>]|=>)*?\/>/g)].map(([field]) => ({ path, field }))
      : [],
  )
  const cut = fields.filter(
    ({ field }) => /inputMode="(numeric|decimal)"/.test(field) && /maxLength/.test(field),
  )
  // A code isn't a number.
  expect(cut.map(({ path }) => path)).toEqual(['src/web/identity/second-factor/ConfirmCode.tsx'])
})

const Figures = z.record(z.string(), z.number())

test('no figure about the structure of the code exceeds its ceiling', async () => {
  const ceilings = Figures.parse(JSON.parse(await readFile(join(project, 'test/structure.json'), 'utf8')))
  const output = execFileSync(process.execPath, [join(project, 'tools/structure.mjs')], { encoding: 'utf8' })
  const figures = Figures.parse(JSON.parse(output))
  // Files and lines grow with what the product can do.
  expect(Object.keys(figures)).toEqual(['files', 'lines', ...Object.keys(ceilings)])
  const exceeded = Object.entries(ceilings).filter(([name, ceiling]) => (figures[name] ?? 0) > ceiling)
  // A figure that fell lowers its ceiling in the same change.
  expect(exceeded).toEqual([])
})
