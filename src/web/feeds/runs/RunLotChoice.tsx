import { Select } from '@mantine/core'
import { useState } from 'react'
import { type FeedRun, feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'
import { useReadAgain } from './read-again.ts'

/** Up to this many lots are shown as buttons. */
const MAX_BUTTONS = 6

/** Chooses the lot of rows that have none. The file is read again, and the choice is remembered for the next one. */
export function LotChoice({ run: { id, lotId: chosen } }: { run: FeedRun }) {
  const { selling, choices, search, isPending } = useLotNames()
  const reading = useReadAgain()
  const [lotId, setLotId] = useState<string | null>(null)
  if (isPending) return null
  const lots = selling.filter((lot) => lot.id !== chosen)
  if (selling.length <= MAX_BUTTONS) {
    return (
      <fieldset className="fc-feed-lots" aria-label="Lot for these rows">
        {lots.map(({ id: lot, name }) => (
          <Action
            key={lot}
            for={feedRuns.readAgain}
            variant="default"
            disabled={reading.isPending}
            loading={reading.isPending && reading.variables.lotId === lot}
            onClick={() => reading.mutate({ id, lotId: lot })}
          >
            <bdi>{name}</bdi>
          </Action>
        ))}
      </fieldset>
    )
  }
  return (
    <div className="fc-feed-map">
      <Select
        className="fc-grow"
        label="Lot for these rows"
        placeholder="Choose a lot"
        searchable
        value={lotId}
        data={choices}
        onChange={setLotId}
        onSearchChange={search}
        nothingFoundMessage="No matching lots"
      />
      <Action
        for={feedRuns.readAgain}
        variant="default"
        lock={lotId === null ? 'Choose a lot first.' : null}
        loading={reading.isPending}
        onClick={() => lotId !== null && reading.mutate({ id, lotId })}
      >
        Use this lot
      </Action>
    </div>
  )
}
