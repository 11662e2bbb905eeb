import type { SummedInventory } from '#contract/carbon/results/group.ts'

/** Notes on how to read a sum over inventories. */
export function groupNotes(summed: readonly SummedInventory[]): string[] {
  const periods = new Set(summed.map(({ periodStart, periodEnd }) => `${periodStart} to ${periodEnd}`))
  const sets = [...new Set(summed.map(({ gwpSet }) => gwpSet))].toSorted()
  const missing = summed.filter(({ figures }) => figures.missing > 0)
  const perOrganization = Map.groupBy(summed, ({ organizationId }) => organizationId)
  return [
    ...[...perOrganization.values()].flatMap((own) => {
      const [first] = own
      return first === undefined || own.length === 1
        ? []
        : [
            `${first.organizationName} has ${own.length} inventories that end in this year. All of them are included.`,
          ]
    }),
    ...(periods.size > 1 ? ['Not all inventories have the same period.'] : []),
    ...(sets.length > 1 ? [`The inventories use different GWP sets: ${sets.join(', ')}.`] : []),
    ...(missing.length > 0
      ? [
          `Some records have no result in: ${missing.map(({ name }) => name).join(', ')}. The actual sum is higher.`,
        ]
      : []),
  ]
}
