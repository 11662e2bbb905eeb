import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { field, optionalText, record, requiredText } from '#contract/record.ts'
import { recordForm } from './record-form.ts'

const bay = record(
  {
    name: requiredText('Name', 20),
    note: optionalText('Note', 40),
    lotId: field('Lot', { input: z.string().optional(), stored: z.string(), blank: undefined }),
    spaces: field('Spaces', { input: z.array(z.number()), stored: z.array(z.number()), blank: [] }),
    isOpen: field('Open', { input: z.boolean(), stored: z.boolean(), blank: true }),
  },
  { readOnly: {} },
)
const form = recordForm(bay)
const saved: z.infer<typeof bay.schema> = {
  id: '7',
  name: 'North',
  note: null,
  lotId: '3',
  spaces: [4],
  isOpen: false,
  version: 2,
  updatedAt: '2026-11-23T10:00:00Z',
  updatedBy: null,
}

test('the form has an input for each field, with text instead of null', () => {
  expect(form.toValues(saved)).toEqual({ name: 'North', note: '', lotId: '3', spaces: [4], isOpen: false })
  expect(form.labels).toEqual({ name: 'Name', note: 'Note', lotId: 'Lot', spaces: 'Spaces', isOpen: 'Open' })
  expectTypeOf(form.blank).toEqualTypeOf<{
    name: string
    note: string
    lotId: string
    spaces: number[]
    isOpen: boolean
  }>()
})

test('an empty input is sent as null, as empty text, or not at all', () => {
  expect(form.blank).toEqual({ name: '', note: '', lotId: '', spaces: [], isOpen: true })
  expect(form.toInput(form.blank)).toEqual({ name: '', note: null, spaces: [], isOpen: true })
  expect(form.toInput(form.toValues(saved))).toEqual({
    name: 'North',
    note: null,
    lotId: '3',
    spaces: [4],
    isOpen: false,
  })
})

test('the contract finds what is wrong', () => {
  expect(form.check(form.blank)).toEqual({ name: 'Name is required.' })
  expect(form.check(form.toValues(saved))).toEqual({})
})

test('a part replaces the inputs of its fields', () => {
  const typed = recordForm(bay, {
    fields: ['spaces'],
    labels: { line: 'Spaces, with commas' },
    blank: { line: '' },
    toValues: ({ spaces }) => ({ line: spaces.join(',') }),
    toInput: ({ line }) => ({ spaces: line.split(',').map(Number) }),
    check: ({ line }, sentences) => (line === '' ? { ...sentences, line: 'Enter the spaces.' } : sentences),
  })
  expect(typed.toValues(saved)).toEqual({ name: 'North', note: '', lotId: '3', line: '4', isOpen: false })
  expect(Object.keys(typed.labels)).toEqual(['name', 'note', 'lotId', 'line', 'isOpen'])
  expect(typed.toInput({ ...typed.toValues(saved), line: '5,6' }).spaces).toEqual([5, 6])
  expect(typed.check(typed.blank)).toMatchObject({ line: 'Enter the spaces.' })
})
