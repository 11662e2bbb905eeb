import { z } from 'zod'
import { readRows } from '#server/carbon/factors/library-files.ts'
import { findGiven, readGiven } from '#test/harness/reference-data.ts'

/** Tests that want the publishers' figures are skipped without them, and say so. */
export const hasPublishedFigures = findGiven('carbon') !== null
if (!hasPublishedFigures)
  console.warn("The publishers' figures are absent: tests that compare with them are skipped.")

/** Rows of one file by the names of their columns. */
export function publishedRows(name: string): Record<string, string>[] {
  return readRows(readCarbon(name))
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
  const all = z.array(Example).parse(JSON.parse(readCarbon('worked_examples.json')))
  const found = all.find((example) => example.id === id)
  if (found === undefined) throw new Error(`There is no example ${id}.`)
  const read = (values: Record<string, unknown>) => (key: string) => {
    const value = values[key]
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    throw new Error(`${id} has no ${key}.`)
  }
  return { given: read(found.inputs), expected: read(found.expected) }
}

function readCarbon(name: string): string {
  const text = readGiven(`carbon/${name}`)
  if (text === null) throw new Error(`${name} is not among the publishers' figures.`)
  return text
}
