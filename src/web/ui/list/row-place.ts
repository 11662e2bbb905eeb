/** Where a row stands among those that match, and its neighbours on the page by their numbers. */
export type RowPlace = Readonly<{
  /** From 1. */
  place: number
  count: number
  previous: string | null
  next: string | null
}>

type Shown = {
  /** From 1. */
  page: number
  /** 0: all rows, scrolled. */
  size: number
  filtered: number
}

/** The place of a row; null where it is not among these. `ids`: the rows of the page, in order. */
export function placeOf(
  ids: readonly string[],
  id: string | undefined,
  { page, size, filtered }: Shown,
): RowPlace | null {
  const at = id === undefined ? -1 : ids.indexOf(id)
  if (at < 0) return null
  return {
    place: (page - 1) * size + at + 1,
    count: filtered,
    previous: ids[at - 1] ?? null,
    next: ids[at + 1] ?? null,
  }
}
