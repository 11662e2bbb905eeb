import { Select, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type LeadMove, leadMoves } from '#contract/leads/inbox/lead-moves.ts'
import { LeadRecord } from '#contract/leads/inbox/leads.ts'
import { query, send } from '#web/api/query.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { useCallForm } from '#web/ui/call-form/use-call-form.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { offerUndo } from '#web/ui/feedback/undo.tsx'
import { askFor } from '#web/ui/overlay/dialogs.tsx'

const moveLead = send(leadMoves.move)
const copyLead = send(leadMoves.copy)
const undoMove = send(leadMoves.undo)

/** Whether the lead goes to another store, or a copy of it. */
export type Sending = 'move' | 'copy'

/** Asks for the store and the reason, sends the lead there, and offers to undo it. `onMoved`: it isn't here anymore. */
export async function sendToStore(lead: LeadRecord, sending: Sending, onMoved: () => void): Promise<void> {
  const title = lead.needsStore
    ? 'Choose the store'
    : `${sending === 'move' ? 'Move' : 'Copy'} to another store`
  const done = await askFor<LeadMove>(title, (answer) => (
    <SendForm lead={lead} sending={sending} onAnswer={answer} />
  ))
  if (done === null) return
  offerUndo({
    text: `${lead.personName}: ${done.isCopy ? 'copied' : 'moved'} to ${done.toName}`,
    undo: () => undoMove({ id: done.id }),
  })
  if (!done.isCopy) onMoved()
}

type FormProps = { lead: LeadRecord; sending: Sending; onAnswer: (move: LeadMove | null) => void }

const BLANK = { lotId: '', reason: '' }
const LABELS = { lotId: 'Store', reason: 'Reason' }

function SendForm({ lead, sending, onAnswer }: FormProps) {
  const { id, version, needsStore } = lead
  const endpoint = leadMoves[sending]
  const { data: stores, error } = useQuery(query(leadMoves.stores, { id }))
  const others = (stores ?? []).filter(({ isCurrent }) => !isCurrent)
  const isMove = sending === 'move'
  const call = useCallForm({
    endpoint,
    about: id,
    initial: BLANK,
    check: ({ lotId, reason }) => {
      const { error: invalid } = endpoint.input.safeParse({ id, lotId, reason })
      return {
        ...(invalid && fieldSentences(invalid)),
        ...(!needsStore && reason.trim() === '' && { reason: 'Enter a reason. Both stores see it.' }),
      }
    },
    send: ({ lotId, reason }, newer) =>
      (isMove ? moveLead : copyLead)({
        id,
        version: newer?.version ?? version,
        lotId,
        reason: reason.trim(),
      }),
    stale: { thing: 'this lead', labels: LABELS, schema: LeadRecord, toValues: () => BLANK },
    onDone: onAnswer,
  })
  const confirm = isMove ? 'Move lead' : 'Copy lead'
  return (
    <CallForm
      call={call}
      for={endpoint}
      confirm={needsStore ? 'Choose store' : confirm}
      onCancel={() => onAnswer(null)}
      lock={stores !== undefined && others.length === 0 ? NO_STORES : null}
    >
      <p className="fc-small fc-soft">{isMove ? MOVES : COPIES}</p>
      {error !== null && <p className="fc-small">{error.message}</p>}
      <Select
        label={LABELS.lotId}
        data={others.map(({ lotId, name, organizationName }) => ({
          value: lotId,
          label: name === organizationName ? name : `${name}, ${organizationName}`,
        }))}
        value={call.values.lotId || null}
        onChange={(lotId) => call.change({ lotId: lotId ?? '' })}
        error={call.errors['lotId']}
        searchable
        required
        data-autofocus
        nothingFoundMessage="No matching store"
      />
      <Textarea
        {...call.field('reason')}
        label={LABELS.reason}
        description="Both stores see it. The buyer does not."
        required={!needsStore}
        autosize
        minRows={2}
        maxLength={500}
      />
    </CallForm>
  )
}

const MOVES =
  'The lead goes there with its conversation and consents, and is routed by the rules again. Its response time starts there.'
const COPIES = 'The other store works on its own lead, without this conversation. Both leads name each other.'
const NO_STORES = 'You can only send leads to stores that you can see. Ask the manager of this lot.'

/** A lead that came to the address of all stores, and whose store a person has to choose. */
export function NoStoreNote({ lead, onMoved }: { lead: LeadRecord; onMoved: () => void }) {
  if (!lead.needsStore || lead.status === 'quarantined') return null
  const { text = '' } = lead.timeline.findLast(({ kind }) => kind === 'store')?.data ?? {}
  return (
    <div className="fc-lead-note">
      <div className="fc-grow">
        <p>
          <b>No store yet.</b> <bdi>{text}</bdi>
        </p>
      </div>
      <Action for={leadMoves.move} onClick={() => void sendToStore(lead, 'move', onMoved)}>
        Choose store
      </Action>
    </div>
  )
}
