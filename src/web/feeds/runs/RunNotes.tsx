import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { AUTO_MAPPING, type FeedRun, NO_LOT } from '#contract/feeds/runs/feed-runs.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { fileOf } from './feed-files.ts'
import { fieldTitle } from './feed-labels.ts'
import { FileQuestions, UsedAnswers } from './FileQuestions.tsx'
import { LotChoice } from './RunLotChoice.tsx'
import { RunNote } from './RunNote.tsx'
import { lacksLots, UnknownDealers } from './UnknownDealers.tsx'

/** What to check before applying a run: review reasons, errors, unlinked dealer IDs, unmapped values. */
export function RunNotes({ run }: { run: FeedRun }) {
  const { status, error, reviewReasons, mappingId, mappingName, unmapped, warnings } = run
  const refusals = run.refusals.filter(({ sentence }) => sentence !== NO_LOT)
  const isPreset = mappingName !== null && mappingName !== AUTO_MAPPING
  const isOpen = status === 'ready' || status === 'review'
  return (
    <>
      {error !== null && (
        <RunNote
          title={
            <Status tone="bad" mark="cross">
              {error}
            </Status>
          }
        >
          <MapColumns run={run} words="If the columns were misread, edit the mapping." />
        </RunNote>
      )}
      {status === 'review' && (
        <RunNote
          title={
            <Status tone="warn" mark="pause">
              Review this feed before applying it
            </Status>
          }
        >
          <ul className="fc-feed-reasons">
            {reviewReasons.map((reason) => (
              <li key={reason}>
                <bdi>{reason}</bdi>
              </li>
            ))}
          </ul>
        </RunNote>
      )}
      {isOpen && run.questions.length > 0 && !run.isReadOnly && <FileQuestions run={run} />}
      {isOpen && run.canReadAgain && !run.isReadOnly && <UsedAnswers run={run} />}
      <Decisions run={run} isOpen={isOpen} />
      {lacksLots(run) && <UnknownDealers run={run} />}
      {isOpen && run.canReadAgain && run.lotName !== null && !lacksLots(run) && (
        <More title="Change the lot for rows without a known dealer ID">
          <li>
            <LotChoice run={run} />
          </li>
        </More>
      )}
      {isOpen && mappingId === null && (
        <RunNote
          title={
            <Status tone="info" mark="check">
              <bdi>
                {isPreset
                  ? `Recognized as ${mappingName}. No mapping needed`
                  : 'Columns were matched by name and values'}
              </bdi>
            </Status>
          }
        >
          <MapColumns
            run={run}
            words={
              isPreset
                ? "If something looks wrong, edit the mapping. We'll use it next time."
                : "Check the rows below. If something looks wrong, edit the mapping. We'll use it next time."
            }
          />
        </RunNote>
      )}
      {refusals.some(({ rows }) => rows > 1) && (
        <Sentences title="Rejected" of={refusals} isOpen={!run.canApply} />
      )}
      {warnings.length > 0 && <Sentences title="Warnings" of={warnings} />}
      <ReadNotes notes={run.notes} />
      <UnusedColumns names={run.unusedColumns} />
      {unmapped.length > 0 && (
        <More title={`Unmapped values: ${unmapped.length.toLocaleString()}`}>
          {unmapped.map(({ field, value, rows }) => (
            <li key={`${field} ${value}`}>
              <span className="fc-soft">{fieldTitle(field)}</span>
              <bdi className="fc-grow">{value}</bdi>
              <span className="fc-number fc-soft">{count(rows, 'row', 'rows')}</span>
            </li>
          ))}
        </More>
      )}
    </>
  )
}

/** Prices and mileages that people decide about, and prices that are lost. */
function Decisions({ run, isOpen }: { run: FeedRun; isOpen: boolean }) {
  return (
    <>
      {run.heldPrices !== null && <HeldPrices run={run} {...run.heldPrices} />}
      {isOpen && run.priceQuestions.total > 0 && <PricesToDecide run={run} />}
      {run.lostPrices > 0 && <LostPrices run={run} />}
      {run.mileageQuestions.total > 0 && <LowerMileages run={run} />}
    </>
  )
}

type HeldPricesProps = { run: FeedRun } & NonNullable<FeedRun['heldPrices']>

/** Names prices beyond the limits, which the run doesn't take, and leads to them. */
function HeldPrices({ run: { id, status }, open, sentence }: HeldPricesProps) {
  const [one, many] = status === 'applied' ? ['was', 'were'] : ['is', 'are']
  const verb = open === 1 ? one : many
  return (
    <RunNote
      title={
        <Status tone="warn" mark="alert">
          {`${count(open, 'price', 'prices')} beyond your limits ${verb} not taken`}
        </Status>
      }
    >
      <p>
        <bdi>{sentence}</bdi> Vehicles keep their price until someone decides.{' '}
        <Link to="/inventory/feeds/$id" params={{ id }} search={{ rows: 'prices' }} className="fc-link">
          Compare both prices
        </Link>
      </p>
    </RunNote>
  )
}

/** Leads to the prices that people set and that differ from new ones in the feed. */
function PricesToDecide({ run }: { run: FeedRun }) {
  const { total, open: all } = run.priceQuestions
  const open = all - (run.heldPrices?.open ?? 0)
  if (open === 0 && all > 0) return null
  return (
    <RunNote
      title={
        <Status tone={open === 0 ? 'info' : 'warn'} mark={open === 0 ? 'check' : 'alert'}>
          {open === 0
            ? `${count(total, 'price', 'prices')} decided`
            : `The feed no longer agrees with the price that a person set for ${count(open, 'vehicle', 'vehicles')}`}
        </Status>
      }
    >
      <p>
        <Link
          to="/inventory/feeds/$id"
          params={{ id: run.id }}
          search={{ rows: 'prices' }}
          className="fc-link"
        >
          Compare both prices
        </Link>
        {open > 0 && ". Prices you don't decide about stay as they are."}
      </p>
    </RunNote>
  )
}

/** Leads to the vehicles that the feed has no price for anymore. */
function LostPrices({ run: { id, lostPrices, status } }: { run: FeedRun }) {
  const isDone = status === 'applied'
  const vehicles = count(lostPrices, 'vehicle', 'vehicles')
  const now = lostPrices === 1 ? 'loses its price' : 'lose their price'
  const verb = isDone ? `lost ${lostPrices === 1 ? 'its' : 'their'} price` : now
  return (
    <RunNote
      title={
        <Status tone="warn" mark="alert">
          {`${vehicles} ${verb}: the feed ${isDone ? 'had' : 'has'} none for ${lostPrices === 1 ? 'it' : 'them'}`}
        </Status>
      }
    >
      <p>
        <Link to="/inventory/feeds/$id" params={{ id }} search={{ rows: 'lostPrices' }} className="fc-link">
          {lostPrices === 1 ? 'Show the vehicle' : 'Show the vehicles'}
        </Link>
        . Buyers see no price until the feed sends one again or someone enters it.
      </p>
    </RunNote>
  )
}

/** Leads to the vehicles whose mileage would fall. */
function LowerMileages({ run: { id, mileageQuestions, status } }: { run: FeedRun }) {
  const isDone = status === 'applied'
  return (
    <RunNote
      title={
        <Status tone="warn" mark="alert">
          {`The mileage of ${count(mileageQuestions.total, 'vehicle', 'vehicles')} would ${isDone ? 'have fallen' : 'fall'}`}
        </Status>
      }
    >
      <p>
        <Link to="/inventory/feeds/$id" params={{ id }} search={{ rows: 'mileages' }} className="fc-link">
          Compare mileages
        </Link>
        {isDone
          ? '. Vehicles kept their mileage unless someone took the lower one.'
          : '. Vehicles keep their mileage unless you take the lower one.'}
      </p>
    </RunNote>
  )
}

/** How the file was read, such as the order of its dates. */
function ReadNotes({ notes }: Pick<FeedRun, 'notes'>) {
  if (notes.length === 0) return null
  return (
    <More title="How the file was read">
      {notes.map((note) => (
        <li key={note}>
          <bdi className="fc-grow">{note}</bdi>
        </li>
      ))}
    </More>
  )
}

function UnusedColumns({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <More title={`Columns that aren't read: ${names.length.toLocaleString()}`}>
      {names.map((name) => (
        <li key={name}>
          <bdi className="fc-grow">{name}</bdi>
        </li>
      ))}
    </More>
  )
}

/** Opens the mapping page with this file as the sample. */
function MapColumns({ run, words }: { run: FeedRun; words: string }) {
  const isHere = run.canReadAgain || fileOf(run.id) !== null
  return (
    <div className="fc-feed-map">
      <p>
        <bdi>
          {words}
          {!isHere && " You'll have to choose the file again, because it is no longer stored."}
        </bdi>
      </p>
      <Button
        variant="default"
        renderRoot={(props) => (
          <Link
            to="/administration/provider-mappings/$id"
            params={{ id: run.mappingId ?? 'new' }}
            search={run.isReadOnly ? {} : { run: run.id }}
            {...props}
          />
        )}
      >
        Edit mapping
      </Button>
    </div>
  )
}

type MoreProps = { title: string; isOpen?: boolean; children: ReactNode }

function More({ title, isOpen = false, children }: MoreProps) {
  return (
    <details className="fc-feed-more" open={isOpen}>
      <summary>
        <bdi>{title}</bdi>
      </summary>
      <ul className="fc-lines">{children}</ul>
    </details>
  )
}

type SentencesProps = { title: string; of: FeedRun['warnings']; isOpen?: boolean }

/** Sentences about rows, each with the number of rows. */
function Sentences({ title, of, isOpen = false }: SentencesProps) {
  const total = of.reduce((all, { rows }) => all + rows, 0)
  return (
    <More title={`${title}: ${count(total, 'row', 'rows')}`} isOpen={isOpen}>
      {of.map(({ sentence, rows }) => (
        <li key={sentence}>
          <bdi className="fc-grow">{sentence}</bdi>
          <span className="fc-number fc-soft">{count(rows, 'row', 'rows')}</span>
        </li>
      ))}
    </More>
  )
}
