import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { CellRow } from './request-cells.ts'

/** The most sources listed in an email. The page behind its link lists all of them. */
const MOST_NAMED = 200

type About = {
  byName: string
  inventory: { name: string; organizationName: string; periodStart: string; periodEnd: string }
  message: string | null
  cells: readonly CellRow[]
}

/** The template variables of a request and a reminder, except the reader and the link. */
export function requestVariables({ byName, inventory, message, cells }: About): Record<string, string> {
  const period = `${writeDay(inventory.periodStart)} to ${writeDay(inventory.periodEnd)}`
  const lines = cells.slice(0, MOST_NAMED).map((cell) => {
    const { facilityName, dueOn } = cell
    const what = `${sourceTitle(cell)} at ${facilityName}`
    return [what, period, ...(dueOn === null ? [] : [`due ${writeDay(dueOn)}`])].join(', ')
  })
  const more = cells.length - lines.length
  const [due] = cells.flatMap(({ dueOn }) => dueOn ?? []).toSorted()
  return {
    byName,
    inventory: inventory.name,
    organization: inventory.organizationName,
    rows: cells.length === 1 ? '1 source' : `${cells.length} sources`,
    due: due === undefined ? '' : writeDay(due),
    cells: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    message: message ?? '',
  }
}
