import type { List } from '#contract/lists/list.ts'

/** The shown columns, each followed by the fields that its cells show as well. */
export function exportedColumns({ fields }: List, columns: readonly string[]): string[] {
  return columns.flatMap((column) => [
    column,
    ...Object.entries(fields).flatMap(([id, field]) =>
      field.shownIn === column && !columns.includes(id) ? [id] : [],
    ),
  ])
}
