import { z } from 'zod'
import { readRows } from '#server/carbon/factors/library-files.ts'
import { findReferenceFile, readReferenceFile } from '#test/harness/reference-data.ts'

/** Tests that need the published values are skipped without them, with a warning. */
export const hasPublishedFigures = findReferenceFile('carbon') !== null
if (!hasPublishedFigures)
  console.warn('The published values are missing, so tests that compare with them are skipped.')

/** Rows of a file by column name. */
export function publishedRows(name: string): Record<string, string>[] {
  return readRows(readCarbon(name))
}

const Example = z.object({
  id: z.string(),
  inputs: z.record(z.string(), z.unknown()),
  expected: z.record(z.string(), z.unknown()),
})

/** A worked example by its ID. */
export function workedExample(id: string): {
  given: (key: string) => string
  expected: (key: string) => string
} {
  const all = z.array(Example).parse(JSON.parse(readCarbon('worked_examples.json')))
  const found = all.find((example) => example.id === id)
  if (found === undefined) throw new Error(`Unknown example ${id}.`)
  const read = (values: Record<string, unknown>) => (key: string) => {
    const value = values[key]
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new Error(`${id} has no ${key}.`)
  }
  return { given: read(found.inputs), expected: read(found.expected) }
}

function readCarbon(name: string): string {
  const text = readReferenceFile(`carbon/${name}`)
  if (text === null) throw new Error(`${name} is not among the published files.`)
  return text
}
