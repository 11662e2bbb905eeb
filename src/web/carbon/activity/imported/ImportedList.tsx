import { importedTotals, type ImportedTotal } from '#contract/carbon/activity/imported-totals.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { tonnes } from '#web/carbon/activity/insight-labels.ts'

const removeTotals = send(importedTotals.remove)
const restoreTotals = send(importedTotals.restore)

type Props = { totals: readonly ImportedTotal[]; inventoryId: string; isOpen: boolean }

/** The imported totals by import. An import is removed as a whole and can be restored. */
export function ImportedList({ totals, inventoryId, isOpen }: Props) {
  const remove = useMutation({
    mutationFn: removeTotals,
    onError: (failure) => showError(failure),
    onSuccess: ({ removed }, { batchId }) => {
      offerUndo({
        text: `${count(removed, 'imported total', 'imported totals')} removed`,
        undo: async () => {
          await restoreTotals({ inventoryId, batchId })
        },
      })
    },
  })
  if (totals.length === 0) return <p className="fc-imported-none fc-soft">No imported totals yet.</p>
  const batches = [...Map.groupBy(totals, ({ batchId }) => batchId)]
  return (
    <>
      {batches.map(([batchId, rows]) => {
        const title = titleOf(rows)
        return (
          <section key={batchId} className="fc-imported-batch" aria-label={title}>
            <header>
              <h2>
                <bdi>{title}</bdi>
              </h2>
              <Action
                for={importedTotals.remove}
                variant="subtle"
                color="gray"
                size="compact-sm"
                aria-label={`Remove: ${title}`}
                lock={isOpen ? null : "This inventory is locked and can't be changed."}
                onClick={() => remove.mutate({ inventoryId, batchId })}
              >
                Remove
              </Action>
            </header>
            <div className="fc-imported-table">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Source</th>
                    <th scope="col">Period</th>
                    <th scope="col">t CO2e</th>
                    <th scope="col">Market-based</th>
                    <th scope="col">Counted</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <Row key={row.id} row={row} />
                  ))}
                </tbody>
              </table>
            </div>
          </section>
        )
      })}
    </>
  )
}

function Row({ row }: { row: ImportedTotal }) {
  return (
    <tr>
      <th scope="row">
        <bdi>
          {sourceTitle(row)}, {row.facilityName}
        </bdi>
        {row.note !== null && <bdi className="fc-second">{row.note}</bdi>}
      </th>
      <td>
        <bdi>
          {row.periodStart} to {row.periodEnd}
        </bdi>
      </td>
      <td className="fc-number">{tonnes(row.kg)}</td>
      <td className="fc-number">{row.marketKg === null ? '' : tonnes(row.marketKg)}</td>
      <td className="fc-number">
        {row.countedKg === row.kg ? (
          tonnes(row.kg)
        ) : (
          <Status tone="info" mark="half">
            {Number(row.countedKg) === 0
              ? 'Replaced by records'
              : `${tonnes(row.countedKg)}, rest replaced by records`}
          </Status>
        )}
      </td>
    </tr>
  )
}

function titleOf(rows: readonly ImportedTotal[]): string {
  const [first] = rows
  const who = first?.createdBy ? ` by ${first.createdBy}` : ''
  const day = first ? new Date(first.createdAt).toLocaleDateString() : ''
  return `${count(rows.length, 'total', 'totals')} imported on ${day}${who}`
}
