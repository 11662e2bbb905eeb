type Row = Readonly<{ id: string }>

/**
 * The rows in the order in which they were shown, so that a lead doesn't move away from the person who works on it. Rows that
 * are new come right after the row that is before them now; those that are gone are left out.
 */
export function inShownOrder<R extends Row>(shown: readonly string[], rows: readonly R[]): R[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const result = shown.flatMap((id) => byId.get(id) ?? [])
  const known = new Set(result.map(({ id }) => id))
  for (const [at, row] of rows.entries()) {
    if (known.has(row.id)) continue
    const before = rows.slice(0, at).findLast(({ id }) => known.has(id))
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, row)
    known.add(row.id)
  }
  return result
}

/** Whether the rows would be in another order now. */
export function isOrderOld(shown: readonly Row[], rows: readonly Row[]): boolean {
  return shown.some(({ id }, at) => rows[at]?.id !== id)
}
