import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'

type Page<Row> = { filteredRows: number; results: readonly Row[] }

/** The rows of all pages of a list, each once: rows move between pages when others are added or deleted meanwhile. */
export async function readAllPages<Row extends { id: string }>(
  readPage: (query: { page: number; pageSize: number }) => Promise<Page<Row>>,
): Promise<Row[]> {
  const rows = new Map<string, Row>()
  for (let page = 1; ; page++) {
    // oxlint-disable-next-line no-await-in-loop -- the first page says how many there are
    const { filteredRows, results } = await readPage({ page, pageSize: MAX_PAGE_SIZE })
    for (const row of results) rows.set(row.id, row)
    if (results.length === 0 || page * MAX_PAGE_SIZE >= filteredRows) return [...rows.values()]
  }
}
