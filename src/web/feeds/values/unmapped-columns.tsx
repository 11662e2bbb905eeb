import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { fieldTitle } from '#contract/feeds/values/mapped-fields.ts'
import type { UNMAPPED_LIST } from '#contract/feeds/values/unmapped-list.ts'
import { MIN_CERTAINTY, type UnmappedValue, unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { confirmMappings } from './confirm-mappings.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './values.css'

const resolve = send(unmappedValues.resolve)

/** Custom cells of the list. */
export const CELLS: Cells<UnmappedValue, keyof typeof UNMAPPED_LIST.fields> = {
  raw: (row) => (
    <>
      <ValueLink row={row} />
      <span className="fc-second">
        <bdi>{row.samples.map(({ title }) => title).join(', ')}</bdi>
      </span>
    </>
  ),
  suggestion: (row) => <Suggestion row={row} />,
  certainty: (row) => <Certainty row={row} />,
}

export const WIDTHS = { raw: 280, suggestion: 300, field: 128, certainty: 104 }

/** A row on a narrow screen. */
export function UnmappedBlock({ row }: { row: UnmappedValue }) {
  return (
    <>
      <div className="fc-block-head">
        <ValueLink row={row} />
        <Certainty row={row} />
      </div>
      <div className="fc-small fc-faint">
        {fieldTitle(row.field)}, {count(row.rows, 'row', 'rows')}
      </div>
      <Suggestion row={row} />
    </>
  )
}

function Suggestion({ row }: { row: UnmappedValue }) {
  const { id, raw, suggestion, reason } = row
  const resolving = useMutation({
    mutationFn: resolve,
    onSuccess: (settled) => confirmMappings(`${raw} becomes ${suggestion}.`, settled),
    onError: (failure) => showError(failure),
  })
  if (suggestion === null) return <span className="fc-faint">No suggestion</span>
  return (
    <span className="fc-values-suggestion">
      <span className="fc-grow" title={reason ?? ''}>
        <bdi>{suggestion}</bdi>
        <span className="fc-second">
          <bdi>{reason}</bdi>
        </span>
      </span>
      <Action
        for={unmappedValues.resolve}
        size="compact-sm"
        variant="default"
        aria-label={`Accept ${suggestion} for ${raw}`}
        loading={resolving.isPending}
        onClick={() => resolving.mutate({ values: [{ id, canonical: suggestion }] })}
      >
        Accept
      </Action>
    </span>
  )
}

function Certainty({ row: { certainty } }: { row: UnmappedValue }) {
  if (certainty === null) return null
  const isSure = certainty >= MIN_CERTAINTY
  return (
    <Status tone={isSure ? 'good' : 'warn'} mark={isSure ? 'check' : 'half'}>
      <span className="fc-number">{certainty}%</span>
    </Status>
  )
}

function ValueLink({ row }: { row: UnmappedValue }) {
  return (
    <MayOpen for={unmappedValues.get}>
      <Link
        from="/administration/unmapped-values"
        to="."
        search={(before) => ({ ...before, value: row.id })}
        className="fc-name"
      >
        <bdi>{row.raw}</bdi>
      </Link>
    </MayOpen>
  )
}
