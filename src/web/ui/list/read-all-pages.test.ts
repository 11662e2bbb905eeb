import { expect, test } from 'vitest'
import { readAllPages } from './read-all-pages.ts'

const rows = Array.from({ length: 401 }, (_, index) => ({ id: String(index) }))

test.for([0, 1, 200, 201, 400, 401])('reads all of %d rows', async (count) => {
  const there = rows.slice(0, count)
  const asked: number[] = []
  const read = await readAllPages(async ({ page, pageSize }) => {
    asked.push(page)
    return { filteredRows: count, results: there.slice((page - 1) * pageSize, page * pageSize) }
  })
  expect(read).toEqual(there)
  expect(asked).toHaveLength(Math.max(1, Math.ceil(count / 200)))
})

test('ends although rows are deleted meanwhile, and returns each row once', async () => {
  const read = await readAllPages(async ({ page }) =>
    page === 1
      ? { filteredRows: 401, results: rows.slice(0, 200) }
      : { filteredRows: 401, results: page === 2 ? rows.slice(199, 300) : [] },
  )
  expect(read).toEqual(rows.slice(0, 300))
})
