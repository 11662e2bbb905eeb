import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from 'pg'
import { CAPITALS, foldCase, SMALL } from '#contract/expressions/fold-case.ts'
import { freshDatabase, type TestDatabase } from '#test/engine/database.ts'

let database: TestDatabase
let client: Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new Client(database.login)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

test('both sides fold every character the same way, alone and in a word', async () => {
  const { rows } = await client.query<{ code: number; alone: string; inside: string }>(
    `select code, fold_case(chr(code)) alone, fold_case('AB' || chr(code)) inside from generate_series(1, 131071) code
    where code not between 55296 and 57343`,
  )
  const different = rows.filter(({ code, alone, inside }) => {
    const character = String.fromCodePoint(code)
    return alone !== foldCase(character) || inside !== foldCase(`AB${character}`)
  })
  expect(different).toEqual([])
})

test('the table has the lowercase letter of each capital, and nothing that would be folded again', () => {
  expect(CAPITALS).toHaveLength(SMALL.length)
  expect(foldCase(SMALL)).toBe(SMALL)
  // The last two have no lowercase letter of their own: the final sigma, and the dotted capital I.
  expect([CAPITALS.slice(-2), SMALL.slice(-2)]).toEqual(['ςİ', 'σi'])
  expect(SMALL.slice(0, -2)).toBe(Array.from(CAPITALS.slice(0, -2), (one) => one.toLowerCase()).join(''))
})

test('a missing value stays missing', async () => {
  const { rows } = await client.query('select fold_case(null) is null is_missing')
  expect(rows).toEqual([{ is_missing: true }])
})
