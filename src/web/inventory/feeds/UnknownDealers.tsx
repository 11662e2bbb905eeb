import { Button, Select } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type FeedRun, feedRuns } from '#contract/inventory/feed-runs.ts'
import { count } from '#web/ui/moment.ts'
import { Action } from '#web/ui/Action.tsx'
import { Status } from '#web/ui/Status.tsx'
import { useLotNames } from '../vehicles/use-lot-names.ts'
import type { Bringing } from './bring-feed.ts'
import { fileOf } from './feed-files.ts'

/** Whether rows were refused because nobody knows their lot: by what they name, or because they name nothing. */
export function lacksLots({ unknownDealers, lotId, refused, rows }: FeedRun): boolean {
  return unknownDealers.length > 0 || (lotId === null && refused > 0 && refused === rows)
}

/** Dealers of the provider that no lot stands for: which lot it is, said once for all rows of this file. */
export function UnknownDealers({ run, bringing }: { run: FeedRun; bringing: Bringing }) {
  const { unknownDealers, mappingId } = run
  const [lotId, setLotId] = useState<string | null>(null)
  const lots = useLotNames()
  const file = fileOf(run.id)
  const rows = unknownDealers.reduce((all, one) => all + one.rows, 0)
  const isOpen = run.status === 'ready' || run.status === 'held' || run.status === 'applied'
  return (
    <section className="fc-feed-note">
      <h2>
        <Status tone="warn" mark="alert">
          <bdi>
            {unknownDealers.length === 0
              ? 'Every row was refused. If they name no dealer, say which lot they are of'
              : `${count(unknownDealers.length, 'dealer', 'dealers')} of the provider without a lot of yours: ${count(rows, 'row', 'rows')}`}
          </bdi>
        </Status>
      </h2>
      <ul className="fc-feed-dealers">
        {unknownDealers.map(({ dealer, rows: of }) => (
          <li key={dealer}>
            <bdi>{dealer}</bdi>
            <span className="fc-number fc-soft">{count(of, 'row', 'rows')}</span>
          </li>
        ))}
      </ul>
      {isOpen && file !== null && (
        <div className="fc-feed-map">
          <Select
            className="fc-grow"
            label="Lot of these rows"
            placeholder="Choose a lot"
            searchable
            value={lotId}
            data={lots.choices}
            onChange={setLotId}
            onSearchChange={lots.search}
            nothingFoundMessage="No such lot"
          />
          <Action
            for={feedRuns.add}
            variant="default"
            lock={lotId === null ? 'Choose the lot first.' : null}
            loading={bringing.file !== null}
            onClick={() =>
              lotId !== null &&
              bringing.bring({
                file,
                lotId,
                ...(mappingId !== null && { mappingId }),
                ...(run.sourceId !== null && { sourceId: run.sourceId }),
              })
            }
          >
            Read it again with this lot
          </Action>
        </div>
      )}
      {isOpen && file === null && (
        <div className="fc-feed-map">
          <p>Bring the file again after a lot was given its number at the provider.</p>
          <Button variant="default" renderRoot={(props) => <Link to="/customers/lots" {...props} />}>
            Lots
          </Button>
        </div>
      )}
    </section>
  )
}
