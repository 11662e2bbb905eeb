import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import type { InventoryRow, ListedInventory } from '#contract/carbon/inventories/inventories.ts'
import type { INVENTORY_LIST } from '#contract/carbon/inventories/inventory-list.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { CONSOLIDATION_NAMES } from '#web/organizations/index.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { atLeast, importedOf, type Method, tonnes } from '../activity/insight-labels.ts'
import { InventoryStatus } from './InventoryStatus.tsx'
import { periodOf } from './inventory-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of columns that show more than their field. */
export const CELLS: Cells<ListedInventory, keyof typeof INVENTORY_LIST.fields> = {
  name: (row) => <InventoryLink row={row} />,
  status: (row) => <InventoryStatus status={row.status} />,
  periodStart: (row) => <bdi>{writeDay(row.periodStart)}</bdi>,
  periodEnd: (row) => <bdi>{writeDay(row.periodEnd)}</bdi>,
  organizationId: (row) => <bdi>{row.organizationName}</bdi>,
  location: (row) => <Tonnes row={row} method="location" />,
  market: (row) => <Tonnes row={row} method="market" />,
  imported: (row) => <bdi className="fc-number">{tonnes(row.figures?.imported ?? '0')}</bdi>,
  coverage: (row) => <Coverage row={row} />,
  assigned: (row) => <Assigned row={row} />,
}

export const WIDTHS = {
  name: 208,
  status: 120,
  periodStart: 104,
  periodEnd: 104,
  organizationId: 152,
  location: 128,
  market: 120,
  coverage: 108,
  boundary: 160,
  assigned: 128,
}

/** An inventory on a narrow screen. */
export function InventoryBlock({ row }: { row: ListedInventory }) {
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
      {hasFigures(row) && (
        <div className="fc-block-head fc-small">
          <span>
            <Tonnes row={row} method="location" /> t CO2e, location-based
          </span>
          <Coverage row={row} />
        </div>
      )}
    </>
  )
}

function InventoryLink({ row }: { row: InventoryRow }) {
  return (
    <>
      <MayOpen for={carbonInventories.get}>
        <Link to="/carbon/start" search={{ inventory: row.id }} className="fc-name">
          <bdi>{row.name}</bdi>
        </Link>
      </MayOpen>
      {row.isBaseYear && <span className="fc-second">Base year</span>}
    </>
  )
}

type WithFigures = ListedInventory & { figures: NonNullable<ListedInventory['figures']> }
/** The user may see the figures, and there are expected or recorded data points. */
const hasFigures = (row: ListedInventory): row is WithFigures =>
  row.figures !== null && (row.figures.expected > 0 || row.figures.location !== '0')

/** The total in tonnes by one scope 2 method: "at least" if results are missing, and the imported part. */
function Tonnes({ row, method }: { row: ListedInventory; method: Method }) {
  if (!hasFigures(row)) return <span className="fc-faint">None yet</span>
  const imported = importedOf(row.figures, method)
  return (
    <>
      <bdi className="fc-number">{atLeast(row.figures, method)}</bdi>
      {imported !== null && <span className="fc-second">{imported}</span>}
    </>
  )
}

/** The number of data points, of those expected. */
function Coverage({ row }: { row: ListedInventory }) {
  if (!hasFigures(row)) return <span className="fc-faint">None yet</span>
  return (
    <bdi className="fc-number">
      {row.figures.there.toLocaleString()} of {row.figures.expected.toLocaleString()}
    </bdi>
  )
}

/** The number of sources with a data owner, of all sources. */
function Assigned({ row: { assigned, sources } }: { row: InventoryRow }) {
  if (sources === 0) return <span className="fc-faint">None yet</span>
  return (
    <bdi className="fc-number">
      {assigned.toLocaleString()} of {sources.toLocaleString()}
    </bdi>
  )
}
