import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { valueMappings } from '#contract/feeds/values/value-mappings.ts'
import { fieldTitle } from '#contract/feeds/values/mapped-fields.ts'
import type { VALUE_MAPPING_LIST } from '#contract/feeds/values/value-mapping-list.ts'
import type { ValueMapping } from '#contract/feeds/values/value-mappings.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<ValueMapping, keyof typeof VALUE_MAPPING_LIST.fields> = {
  raw: (row) => <MappingLink row={row} />,
  canonical: (row) => <MappedValue canonical={row.canonical} />,
  providerMapping: (row) =>
    row.providerMapping === null ? (
      <span className="fc-faint">All feeds</span>
    ) : (
      <bdi>{row.providerMapping}</bdi>
    ),
  updatedAt: (row) => (
    <>
      {formatDay(row.updatedAt)}
      {row.updatedBy !== null && (
        <span className="fc-second">
          <bdi>{row.updatedBy}</bdi>
        </span>
      )}
    </>
  ),
}

export const WIDTHS = { raw: 260, canonical: 200 }

/** A row on a narrow screen. */
export function MappingBlock({ row }: { row: ValueMapping }) {
  return (
    <>
      <div className="fc-block-head">
        <MappingLink row={row} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>{[fieldTitle(row.field), row.providerMapping].filter(Boolean).join(', ')}</bdi>
      </div>
      <div className="fc-small">
        <MappedValue canonical={row.canonical} />
      </div>
    </>
  )
}

function MappedValue({ canonical }: Pick<ValueMapping, 'canonical'>) {
  if (canonical !== null) return <bdi>{canonical}</bdi>
  return (
    <Status tone="mute" mark="dash">
      Ignored
    </Status>
  )
}

function MappingLink({ row }: { row: ValueMapping }) {
  return (
    <MayOpen for={valueMappings.get}>
      <Link
        from="/administration/data-mappings"
        to="."
        search={(before) => ({ ...before, value: row.id })}
        className="fc-name"
      >
        <bdi>{row.raw}</bdi>
      </Link>
    </MayOpen>
  )
}
