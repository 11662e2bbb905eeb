import { Select } from '@mantine/core'
import { useState } from 'react'
import { dealerIds, type UnmatchedDealerId } from '#contract/customers/dealer-ids/dealer-ids.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { offerUndo } from '#web/ui/feedback/undo.tsx'

const assign = send(dealerIds.assign)
const release = send(dealerIds.release)

/** Each dealer ID with a lot to assign it to. */
export function AssignDealers({ dealers }: { dealers: readonly UnmatchedDealerId[] }) {
  return (
    <ul className="fc-assign">
      {dealers.map((dealer) => (
        <DealerRow key={dealer.id} dealer={dealer} />
      ))}
    </ul>
  )
}

function DealerRow({ dealer }: { dealer: UnmatchedDealerId }) {
  // Each row has its own search; the first page is read once for all.
  const { choices, search } = useLotNames()
  const { id, dealerId, source, rows, lastSeenAt } = dealer
  const [only] = choices
  const [chosen, setChosen] = useState<string | null>(null)
  // A single lot is preselected.
  const lotId = chosen ?? (choices.length === 1 ? (only?.value ?? null) : null)
  const assigning = useMutation({
    mutationFn: assign,
    onSuccess: (lot) =>
      offerUndo({
        text: `${dealerId} assigned to ${lot.name}`,
        undo: () => release({ lotId: lot.id, dealerId }),
      }),
    onError: (failure) => showError(failure),
  })
  return (
    <li>
      <span className="fc-grow">
        <bdi className="fc-number">{dealerId}</bdi>
        <span className="fc-second">
          <bdi>
            {[source, count(rows, 'row', 'rows'), `last seen ${formatAgo(lastSeenAt)}`]
              .filter(Boolean)
              .join(', ')}
          </bdi>
        </span>
      </span>
      <Select
        aria-label={`Lot for ${dealerId}`}
        placeholder="Choose a lot"
        data={choices}
        value={lotId}
        onChange={setChosen}
        onSearchChange={search}
        nothingFoundMessage="No matching lot"
        searchable
        allowDeselect={false}
      />
      <Action
        for={dealerIds.assign}
        variant="default"
        aria-label={`Assign ${dealerId}`}
        lock={lotId === null ? 'Choose a lot first.' : null}
        loading={assigning.isPending}
        onClick={() => lotId !== null && assigning.mutate({ id, lotId })}
      >
        Assign
      </Action>
    </li>
  )
}
