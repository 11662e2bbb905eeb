import { expect, test } from 'vitest'
import { tryMapping } from './try-mapping.ts'

test('other work continues while a large sample is read', async () => {
  const row = `1FTFW1E50PFA00001,${'long text '.repeat(1_500)}\n`
  const bytes = Buffer.from(`VIN,Comments\n${row.repeat(250)}`)
  let turns = 0
  let isOver = false
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  await tryMapping([{ bytes, isWhole: true }, undefined], {
    mapping: null,
    preset: undefined,
    read: { unit: 'mi', today: '2026-11-26' },
  })
  isOver = true
  expect(bytes.length / 65_536).toBeGreaterThan(50)
  expect(turns).toBeGreaterThan(50)
})
