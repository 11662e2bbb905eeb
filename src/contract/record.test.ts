import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import {
  choice,
  countryField,
  emailField,
  field,
  labelOf,
  optionalText,
  phoneField,
  record,
  requiredText,
  urlField,
} from './record.ts'

const SIZES = [
  { value: 'small', label: 'Small' },
  { value: 'large', label: 'Large' },
] as const

const bay = record(
  {
    name: requiredText('Name', 20),
    note: optionalText('Note', 40),
    size: choice('Size', SIZES, { message: 'Choose a size.', initial: 'small' }),
    tags: field('Tags', { input: z.array(z.string()).optional(), stored: z.array(z.string()), blank: [] }),
  },
  { readOnly: { vehicles: z.number() } },
)
const stored: z.infer<typeof bay.schema> = {
  id: '7',
  name: 'North',
  note: null,
  size: 'large',
  tags: [],
  vehicles: 3,
  version: 2,
  updatedAt: '2026-11-23T10:00:00Z',
  updatedBy: null,
}

test('the record contains its fields, the read-only ones, and who changed it', () => {
  expect(bay.schema.parse(stored)).toEqual(stored)
  expect(bay.schema.safeParse({ ...stored, vehicles: undefined }).success).toBe(false)
  expectTypeOf<z.infer<typeof bay.schema>>().toEqualTypeOf<{
    id: string
    name: string
    note: string | null
    size: 'small' | 'large'
    tags: string[]
    vehicles: number
    version: number
    updatedAt: string
    updatedBy: string | null
  }>()
})

test('adding needs the required fields only, and takes no read-only ones', () => {
  expect(bay.create.parse({ name: ' North ', note: '' })).toEqual({
    name: 'North',
    note: null,
    size: 'small',
  })
  expect(bay.create.safeParse({ note: 'x' }).error?.issues[0]?.message).toBe('Name must be text.')
  expect(bay.create.safeParse({ name: 'North', vehicles: 3 }).success).toBe(false)
  expectTypeOf<z.input<typeof bay.create>>().toEqualTypeOf<{
    name: string
    note?: string | null | undefined
    size?: 'small' | 'large' | undefined
    tags?: string[] | undefined
  }>()
})

test('changing takes single fields or a whole response, whose read-only fields are ignored', () => {
  expect(bay.update.parse({ id: 7, size: 'large' })).toEqual({ id: '7', size: 'large' })
  const { vehicles: _vehicles, updatedAt: _at, updatedBy: _by, ...kept } = stored
  expect(bay.update.parse(stored)).toEqual(kept)
  expect(bay.update.safeParse({ ...stored, wheels: 4 }).success).toBe(false)
  expect(bay.changes.extend({ wheels: z.number() }).parse({ ...stored, wheels: 4 })).toEqual({
    ...kept,
    wheels: 4,
  })
  expectTypeOf<z.output<typeof bay.update>>().toEqualTypeOf<{
    id: string
    version?: number | undefined
    name?: string | undefined
    note?: string | null | undefined
    size?: 'small' | 'large' | undefined
    tags?: string[] | undefined
  }>()
})

test('a value has the label of its choice', () => {
  expect([labelOf(SIZES, 'large'), labelOf(SIZES, 'huge')]).toEqual(['Large', 'huge'])
})

const site = record(
  {
    email: emailField('Email'),
    billing: emailField('Billing email', { isRequired: true }),
    website: urlField('Website'),
    phone: phoneField('Phone'),
    country: countryField('Country'),
  },
  { readOnly: {} },
)

test('texts of a kind are null if they are empty, and required only if they say so', () => {
  const empty = { email: '', website: ' ', phone: '', country: null }
  expect(site.create.parse({ ...empty, billing: ' a@b.example ' })).toEqual({
    billing: 'a@b.example',
    email: null,
    website: null,
    phone: null,
    country: null,
  })
  expect(site.create.safeParse({ billing: '' }).error?.issues[0]?.message).toBe('Billing email is required.')
  expectTypeOf<z.infer<typeof site.schema>['email']>().toEqualTypeOf<string | null>()
  expectTypeOf<z.infer<typeof site.schema>['billing']>().toEqualTypeOf<string>()
})

test.each([
  ['email', 'a@', 'Enter a valid email address.'],
  ['website', 'javascript:alert(1)', 'Enter a web address such as https://www.example.com.'],
  ['website', 'example.com', 'Enter a web address such as https://www.example.com.'],
  [
    'phone',
    'call me',
    'Phone can contain only digits, spaces, the characters + ( ) . - /, and an extension such as x12.',
  ],
  ['country', 'XX', 'Choose a country.'],
])('%s refuses %s', (name, text, sentence) => {
  const { error } = site.create.safeParse({ billing: 'a@b.example', [name]: text })
  expect(error?.issues.map(({ message }) => message)).toEqual([sentence])
})

test.each([
  ['email', 'sales@dealer.example'],
  ['website', 'https://www.example.com/about'],
  ['phone', '+1 (916) 555-0178'],
  ['phone', '916.555.0178 ext. 12'],
  ['country', 'US'],
])('%s accepts %s', (name, text) => {
  expect(site.create.parse({ billing: 'a@b.example', [name]: text })).toHaveProperty(name, text)
})
