import { Link } from '@tanstack/react-router'
import type { InventoryRow } from '#contract/carbon/inventories.ts'
import type { INVENTORY_LIST } from '#contract/carbon/inventory-list.ts'
import { writeDay } from '#contract/organizations/inclusion.ts'
import { CONSOLIDATION_NAMES } from '#web/organizations/index.ts'
import type { Cells } from '#web/ui/list/shown-column.ts'
import { count } from '#web/ui/moment.ts'
import { InventoryStatus } from './InventoryStatus.tsx'
import { periodOf } from './inventory-words.ts'

/** How the columns look that say more than their field. */
export const CELLS: Cells<InventoryRow, keyof typeof INVENTORY_LIST.fields> = {
  name: (row) => <InventoryLink row={row} />,
  status: (row) => <InventoryStatus status={row.status} />,
  periodStart: (row) => <bdi>{writeDay(row.periodStart)}</bdi>,
  periodEnd: (row) => <bdi>{writeDay(row.periodEnd)}</bdi>,
  organizationId: (row) => <bdi>{row.organizationName}</bdi>,
  assigned: (row) => <Assigned row={row} />,
}

export const WIDTHS = { name: 232, status: 128, boundary: 168, organizationId: 184, assigned: 128 }

/** A row on a narrow screen. */
export function InventoryBlock({ row }: { row: InventoryRow }) {
  return (
    <>
      <div className="fc-block-head">
        <InventoryLink row={row} />
        <InventoryStatus status={row.status} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>{periodOf(row)}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <bdi className="fc-soft">
          {row.organizationName}, {CONSOLIDATION_NAMES[row.boundary].toLowerCase()}
        </bdi>
        <span className="fc-soft">{count(row.sources, 'source', 'sources')}</span>
      </div>
    </>
  )
}

function InventoryLink({ row }: { row: InventoryRow }) {
  return (
    <>
      <Link to="/carbon/start" search={{ inventory: row.id }} className="fc-name">
        <bdi>{row.name}</bdi>
      </Link>
      {row.isBaseYear && <span className="fc-second">Base year</span>}
    </>
  )
}

/** How many sources somebody brings the figures of, beside how many there are. */
function Assigned({ row: { assigned, sources } }: { row: InventoryRow }) {
  if (sources === 0) return <span className="fc-faint">None yet</span>
  return (
    <bdi className="fc-number">
      {assigned.toLocaleString()} of {sources.toLocaleString()}
    </bdi>
  )
}
