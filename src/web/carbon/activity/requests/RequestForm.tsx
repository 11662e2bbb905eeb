import { Button, Checkbox, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import {
  dataRequests,
  QUIET_HOURS,
  REMINDER_DAYS,
  type RequestCell,
} from '#contract/carbon/activity/data-requests.ts'
import type { Got } from '#contract/endpoint.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { askedWords, newBatchKey, placeWords } from './request-labels.ts'

export type SendResult = Got<typeof dataRequests.ask>

type Props = {
  kind: 'request' | 'reminder'
  inventoryId: string
  /** Sources that were meant; those that nobody can be asked about are told, with why. */
  cells: readonly RequestCell[]
  onAnswer: (sent: SendResult | null) => void
}

const askPeople = send(dataRequests.ask)
const remindPeople = send(dataRequests.remind)

/** Whom a press writes to, source by source, before it does: those written to within a day are not ticked. */
export function RequestForm({ kind, inventoryId, cells, onAnswer }: Props) {
  const [press] = useState(newBatchKey)
  const [message, setMessage] = useState('')
  const [isRepeated, setIsRepeated] = useState(true)
  const askable = cells.filter(({ problem }) => problem === null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(askable.filter(({ asked }) => asked?.isQuiet !== true).map(({ sourceId }) => sourceId)),
  )
  const people = Map.groupBy(askable, ({ personId }) => personId)
  const wanted = askable.filter(({ sourceId }) => chosen.has(sourceId))
  const mails = new Set(wanted.map(({ personId }) => personId)).size
  const sending = useMutation({
    mutationFn: () => {
      const sent = wanted.map(({ sourceId, asked }) => ({ sourceId, isAgain: asked?.isQuiet === true }))
      const pressed = { inventoryId, press, cells: sent, message }
      return kind === 'request' ? askPeople({ ...pressed, isRepeated }) : remindPeople(pressed)
    },
    onSuccess: onAnswer,
  })
  const endpoint = kind === 'request' ? dataRequests.ask : dataRequests.remind

  function choose(ids: readonly string[], isChosen: boolean) {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setChosen(next)
  }

  return (
    <form
      className="fc-carbon-dialog"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (wanted.length > 0) sending.mutate()
      }}
    >
      <div className="fc-request-people">
        {[...people].map(([personId, own]) => (
          <fieldset key={personId}>
            <legend>
              <bdi>{own[0]?.personName ?? ''}</bdi>
            </legend>
            {own.map((cell) => (
              <Checkbox
                key={cell.sourceId}
                label={<bdi>{placeWords(cell)}</bdi>}
                description={<bdi>{aboutWords(cell)}</bdi>}
                checked={chosen.has(cell.sourceId)}
                onChange={(event) => choose([cell.sourceId], event.currentTarget.checked)}
              />
            ))}
          </fieldset>
        ))}
        <Unasked cells={cells.filter(({ problem }) => problem !== null)} />
      </div>
      {askable.some(({ asked }) => asked?.isQuiet === true) && (
        <p className="fc-small fc-soft">
          Whoever was written to within the last {QUIET_HOURS} hours is not ticked. Tick a source to write
          again.
        </p>
      )}
      {askable.length > 0 && (
        <TextInput
          label="Message"
          maxLength={1_000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
      )}
      {kind === 'request' && askable.length > 0 && (
        <Checkbox
          label="Remind the silent"
          description={<bdi>{REMINDERS}</bdi>}
          checked={isRepeated}
          onChange={(event) => setIsRepeated(event.currentTarget.checked)}
        />
      )}
      {sending.error && (
        <p className="fc-form-alert" role="alert">
          <bdi>{sending.error.message}</bdi>
        </p>
      )}
      <div className="fc-row fc-carbon-dialog-end">
        <Button variant="default" onClick={() => onAnswer(null)}>
          {askable.length === 0 ? 'Close' : 'Cancel'}
        </Button>
        {askable.length > 0 && (
          <Action
            for={endpoint}
            type="submit"
            loading={sending.isPending}
            lock={wanted.length === 0 ? 'Choose at least one source.' : null}
          >
            Send {count(mails, 'mail', 'mails')}
          </Action>
        )}
      </div>
    </form>
  )
}

const [BEFORE, ...AFTER] = REMINDER_DAYS
const REMINDERS = `${-BEFORE} days before, and ${AFTER.slice(0, -1).join(', ')} and ${AFTER.at(-1)} days after the day on which figures are due.`

function aboutWords(cell: RequestCell): string {
  const due = cell.dueOn === null ? 'No due day' : `Due ${writeDay(cell.dueOn)}`
  const asked = askedWords(cell)
  return asked === null ? due : `${due}. ${asked}`
}

function Unasked({ cells }: { cells: readonly RequestCell[] }) {
  if (cells.length === 0) return null
  return (
    <section aria-labelledby="fc-request-unasked">
      <h3 id="fc-request-unasked">Nobody can be asked</h3>
      <ul>
        {cells.map((cell) => (
          <li key={cell.sourceId}>
            <bdi>
              {placeWords(cell)}: {cell.problem}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
