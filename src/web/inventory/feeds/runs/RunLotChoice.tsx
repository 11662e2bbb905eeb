import { Select } from '@mantine/core'
import { useState } from 'react'
import { type FeedRun, feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { useLotNames } from '#web/inventory/vehicles/use-lot-names.ts'
import { useReadAgain } from './read-again.ts'

/** So many lots are a button each: one click says it. */
const MOST_BUTTONS = 6

/** Which lot the rows without one stand on: the file is read again with it, and it is remembered for the next one. */
export function LotChoice({ run: { id, lotId: chosen } }: { run: FeedRun }) {
  const { selling, choices, search, isPending } = useLotNames()
  const reading = useReadAgain()
  const [lotId, setLotId] = useState<string | null>(null)
  if (isPending) return null
  const lots = selling.filter((lot) => lot.id !== chosen)
  if (selling.length <= MOST_BUTTONS) {
    return (
      <fieldset className="fc-feed-lots" aria-label="Lot of these rows">
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
        label="Lot of these rows"
        placeholder="Choose a lot"
        searchable
        value={lotId}
        data={choices}
        onChange={setLotId}
        onSearchChange={search}
        nothingFoundMessage="No such lot"
      />
      <Action
        for={feedRuns.readAgain}
        variant="default"
        lock={lotId === null ? 'Choose the lot first.' : null}
        loading={reading.isPending}
        onClick={() => lotId !== null && reading.mutate({ id, lotId })}
      >
        Read it with this lot
      </Action>
    </div>
  )
}
