import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  dataRequests,
  QUIET_HOURS,
  REMINDER_DAYS,
  type RequestCell,
} from '#contract/carbon/activity/data-requests.ts'
import type { Output } from '#contract/endpoint.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import { send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { newIdempotencyKey, describeSource, requestStatus } from './request-labels.ts'

export type SendResult = Output<typeof dataRequests.ask>

type Props = {
  kind: 'request' | 'reminder'
  inventoryId: string
  /** The selected sources. Those whose data can't be requested are listed with the reason. */
  cells: readonly RequestCell[]
  onAnswer: (sent: SendResult | null) => void
}

const sendRequests = send(dataRequests.ask)
const sendReminders = send(dataRequests.remind)

/** The recipients and their sources, before sending. Sources emailed about in the last 24 hours aren't selected. */
export function RequestForm({ kind, inventoryId, cells, onAnswer }: Props) {
  const [idempotencyKey] = useState(newIdempotencyKey)
  const askable = cells.filter(({ problem }) => problem === null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(askable.filter(({ asked }) => asked?.isQuiet !== true).map(({ sourceId }) => sourceId)),
  )
  const selected = askable.filter(({ sourceId }) => chosen.has(sourceId))
  const emails = new Set(selected.map(({ dataOwnerId }) => dataOwnerId)).size
  const endpoint = kind === 'request' ? dataRequests.ask : dataRequests.remind
  const call = useCallForm({
    endpoint,
    about: `${inventoryId}/${cells.map(({ sourceId }) => sourceId).join()}`,
    initial: { message: '', isRepeated: true },
    send: ({ message, isRepeated }) => {
      const sent = selected.map(({ sourceId, asked }) => ({ sourceId, isAgain: asked?.isQuiet === true }))
      const batch = { inventoryId, idempotencyKey, cells: sent, message }
      return kind === 'request' ? sendRequests({ ...batch, isRepeated }) : sendReminders(batch)
    },
    onDone: onAnswer,
  })

  function choose(ids: readonly string[], isChosen: boolean) {
    const next = new Set(chosen)
    for (const id of ids) {
      if (isChosen) next.add(id)
      else next.delete(id)
    }
    setChosen(next)
  }

  return (
    <CallForm
      call={call}
      for={endpoint}
      confirm={askable.length === 0 ? null : `Send ${count(emails, 'email', 'emails')}`}
      lock={selected.length === 0 ? 'Select at least one source.' : null}
      cancel={askable.length === 0 ? 'Close' : 'Cancel'}
      onCancel={() => onAnswer(null)}
    >
      <div className="fc-request-people">
        <AskablePeople cells={askable} chosen={chosen} onChoose={choose} />
        <Unasked cells={cells.filter(({ problem }) => problem !== null)} />
      </div>
      {askable.some(({ asked }) => asked?.isQuiet === true) && (
        <p className="fc-small fc-soft">
          Sources emailed about in the last {QUIET_HOURS} hours aren&rsquo;t selected. Select a source to
          email its data owner again.
        </p>
      )}
      {askable.length > 0 && <TextInput {...call.field('message')} label="Message" maxLength={1_000} />}
      {kind === 'request' && askable.length > 0 && (
        <Checkbox
          label="Send automatic reminders"
          description={<bdi>{REMINDERS}</bdi>}
          checked={call.values.isRepeated}
          onChange={(event) => call.change({ isRepeated: event.currentTarget.checked })}
        />
      )}
    </CallForm>
  )
}

const [BEFORE, ...AFTER] = REMINDER_DAYS
const REMINDERS = `${-BEFORE} days before the due date, and ${AFTER.slice(0, -1).join(', ')} and ${AFTER.at(-1)} days after it, to people who haven't responded.`

function cellDetails(cell: RequestCell): string {
  const due = cell.dueOn === null ? 'No due date' : `Due ${writeDay(cell.dueOn)}`
  const status = requestStatus(cell)
  return status === null ? due : `${due}. ${status}`
}

type PeopleProps = {
  cells: readonly RequestCell[]
  chosen: ReadonlySet<string>
  onChoose: (ids: readonly string[], isChosen: boolean) => void
}

/** The data owners, each with the sources to request. */
function AskablePeople({ cells, chosen, onChoose }: PeopleProps) {
  const people = Map.groupBy(cells, ({ dataOwnerId }) => dataOwnerId)
  return (
    <>
      {[...people].map(([dataOwnerId, own]) => (
        <fieldset key={dataOwnerId}>
          <legend>
            <bdi>{own[0]?.dataOwnerName ?? ''}</bdi>
          </legend>
          {own.map((cell) => (
            <Checkbox
              key={cell.sourceId}
              label={<bdi>{describeSource(cell)}</bdi>}
              description={<bdi>{cellDetails(cell)}</bdi>}
              checked={chosen.has(cell.sourceId)}
              onChange={(event) => onChoose([cell.sourceId], event.currentTarget.checked)}
            />
          ))}
        </fieldset>
      ))}
    </>
  )
}

function Unasked({ cells }: { cells: readonly RequestCell[] }) {
  if (cells.length === 0) return null
  return (
    <section aria-labelledby="fc-request-unasked">
      <h3 id="fc-request-unasked">Can&rsquo;t request data</h3>
      <ul>
        {cells.map((cell) => (
          <li key={cell.sourceId}>
            <bdi>
              {describeSource(cell)}: {cell.problem}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
