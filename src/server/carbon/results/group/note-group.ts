import type { SummedInventory } from '#contract/carbon/results/group.ts'

/** What has to be known to read a sum over inventories, each a sentence. */
export function noteGroup(summed: readonly SummedInventory[]): string[] {
  const periods = new Set(summed.map(({ periodStart, periodEnd }) => `${periodStart} to ${periodEnd}`))
  const sets = [...new Set(summed.map(({ gwpSet }) => gwpSet))].toSorted()
  const missing = summed.filter(({ figures }) => figures.missing > 0)
  const perOrganization = Map.groupBy(summed, ({ organizationId }) => organizationId)
  return [
    ...[...perOrganization.values()].flatMap((own) => {
      const [first] = own
      return first === undefined || own.length === 1
        ? []
        : [`${first.organizationName} has ${own.length} inventories that end in this year. All are summed.`]
    }),
    ...(periods.size > 1 ? ['Not all of them have the same period. Each stands beside its figure.'] : []),
    ...(sets.length > 1 ? [`They are weighed by different reports of the IPCC: ${sets.join(', ')}.`] : []),
    ...(missing.length > 0
      ? [
          `The sum is at least what it says: ${missing.map(({ name }) => name).join(', ')} lack a result for some records.`,
        ]
      : []),
  ]
}
