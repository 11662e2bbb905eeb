import type { InventoryRow } from '#contract/carbon/inventories/inventories.ts'

/** The ID of the latest inventory of the same organization and boundary that ended before `after` began. */
export function yearBefore(rows: readonly InventoryRow[], after: string | undefined): string | undefined {
  const later = rows.find(({ id }) => id === after)
  if (!later) return undefined
  return rows
    .filter(
      (row) =>
        row.organizationId === later.organizationId &&
        row.boundary === later.boundary &&
        row.status !== 'restated' &&
        row.periodEnd < later.periodStart,
    )
    .toSorted((one, other) => other.periodEnd.localeCompare(one.periodEnd))[0]?.id
}
