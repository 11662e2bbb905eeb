import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readRows } from '#server/carbon/library-files.ts'

/** Figures of the publishers, beside the project and never in it; SHARED_DATA names another place. */
const FOLDER = join(process.env.SHARED_DATA ?? join(import.meta.dirname, '../../shared/data'), 'carbon')

/** Tests that want them are skipped without them, and say so. */
export const hasPublishedFigures = existsSync(FOLDER)
if (!hasPublishedFigures)
  console.warn(`The publishers' figures are not in ${FOLDER}: tests that compare with them are skipped.`)

/** Rows of one file by the names of their columns. */
export function publishedRows(name: string): Record<string, string>[] {
  return readRows(readFileSync(join(FOLDER, name), 'utf8'))
}

const Example = z.object({
  id: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  expected: z.record(z.string(), z.unknown()),
})

/** One worked example by its number. */
export function workedExample(id: string): {
  given: (key: string) => string
  expected: (key: string) => string
} {
  const all = z.array(Example).parse(JSON.parse(readFileSync(join(FOLDER, 'worked_examples.json'), 'utf8')))
  const found = all.find((example) => example.id === id)
  if (found === undefined) throw new Error(`There is no example ${id}.`)
  const read = (values: Record<string, unknown>) => (key: string) => {
    const value = values[key]
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new Error(`${id} has no ${key}.`)
  }
  return { given: read(found.inputs), expected: read(found.expected) }
}
