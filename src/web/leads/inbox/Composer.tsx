import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { Button, SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { CALL_RESULTS } from '#contract/leads/leads/lead-events.ts'
import { type LeadRecord, leads } from '#contract/leads/leads/leads.ts'
import { send } from '#web/api/query.ts'
import { formatPrice } from '#web/inventory/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'

const sendEmail = send(leads.sendEmail)
const logCall = send(leads.logCall)
const addNote = send(leads.addNote)

type Kind = 'email' | 'call' | 'note'
const KINDS = [
  { value: 'email', label: 'Email' },
  { value: 'call', label: 'Call' },
  { value: 'note', label: 'Note' },
]
const isKind = (text: string): text is Kind => KINDS.some(({ value }) => value === text)
type Result = (typeof CALL_RESULTS)[number]['value']
const isResult = (text: string | null): text is Result => CALL_RESULTS.some(({ value }) => value === text)

type Props = { lead: LeadRecord; onChanged: (lead: LeadRecord) => void }

/** Answers the buyer, or records a call or a note. What is typed stays until it is sent. */
export function Composer({ lead, onChanged }: Props) {
  const email = lead.channels.find(({ channel }) => channel === 'email')
  const [kind, setKind] = useState<Kind>(email?.isAllowed === true ? 'email' : 'call')
  const [subject, setSubject] = useState(() => subjectOf(lead))
  const [text, setText] = useState('')
  const [result, setResult] = useState<Result>('reached')
  const { id } = lead
  const save = useMutation({
    mutationFn: () => {
      if (kind === 'email') return sendEmail({ id, subject, text })
      if (kind === 'call') return logCall({ id, result, text: text.trim() === '' ? null : text })
      return addNote({ id, text })
    },
    onSuccess: (saved) => {
      toast(DONE[kind], saved.personName)
      setText('')
      onChanged(saved)
    },
    onError: (failure) => showError(failure),
  })
  const forbidden = reasonAgainst(lead, kind)
  const isEmpty = kind !== 'call' && text.trim() === ''
  return (
    <section className="fc-lead-composer" aria-label="Answer">
      <ComposerHead
        lead={lead}
        kind={kind}
        onKind={setKind}
        onInsert={(price) => setText((before) => `${before}${before === '' ? '' : ' '}${price}`)}
      />
      {forbidden !== null && <output className="fc-small fc-lead-forbidden">{forbidden}</output>}
      {kind === 'email' && (
        <TextInput
          aria-label="Subject"
          value={subject}
          maxLength={150}
          onChange={(event) => setSubject(event.currentTarget.value)}
        />
      )}
      {kind === 'call' && (
        <Select
          aria-label="How the call ended"
          data={[...CALL_RESULTS]}
          value={result}
          allowDeselect={false}
          onChange={(next) => isResult(next) && setResult(next)}
        />
      )}
      <Textarea
        aria-label={LABELS[kind]}
        placeholder={LABELS[kind]}
        value={text}
        autosize
        minRows={3}
        maxLength={kind === 'email' ? 20_000 : 4_000}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className="fc-row">
        <p className="fc-small fc-soft">
          <bdi>{noteOf(lead, kind)}</bdi>
        </p>
        <span className="fc-grow" />
        <Action
          for={CALLS[kind]}
          disabled={forbidden !== null || isEmpty}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {BUTTONS[kind]}
        </Action>
      </div>
    </section>
  )
}

type HeadProps = {
  lead: LeadRecord
  kind: Kind
  onKind: (kind: Kind) => void
  onInsert: (price: string) => void
}

/** Email, call or note, and the total price of the pricing rules for an email. */
function ComposerHead({ lead, kind, onKind, onInsert }: HeadProps) {
  const total = lead.vehicle?.totalCents ?? null
  return (
    <div className="fc-row">
      <SegmentedControl
        size="xs"
        data={KINDS}
        value={kind}
        onChange={(next) => isKind(next) && onKind(next)}
        aria-label="Kind of answer"
      />
      <span className="fc-grow" />
      {kind === 'email' && total !== null && (
        <Button variant="default" size="xs" onClick={() => onInsert(priceText(lead, total))}>
          Insert price
        </Button>
      )}
    </div>
  )
}

const CALLS = { email: leads.sendEmail, call: leads.logCall, note: leads.addNote } as const
const BUTTONS = { email: 'Send', call: 'Save call', note: 'Save note' } as const
const DONE = { email: 'Email queued', call: 'Call recorded', note: 'Note added' } as const
const LABELS = {
  email: 'Message',
  call: 'What was said (optional)',
  note: 'Note, which the buyer never sees',
} as const

function reasonAgainst({ channels, status }: LeadRecord, kind: Kind): string | null {
  if (kind === 'note') return null
  if (status === 'quarantined') return 'This lead is in quarantine. Release it first.'
  return channels.find(({ channel }) => channel === kind)?.reason ?? null
}

function noteOf({ repliesReturn, ownAddress }: LeadRecord, kind: Kind): string {
  if (kind === 'call') return 'Only a call in which you reached the buyer is a response.'
  if (kind === 'note') return ''
  if (repliesReturn) return 'Replies come back to this lead.'
  return `Replies go to ${ownAddress ?? 'the sender of your emails'}, not to this lead.`
}

function subjectOf({ vehicleTitle, timeline }: LeadRecord): string {
  const last = timeline.findLast(({ message }) => message !== null)?.message?.subject
  if (last !== undefined) return /^re:/i.test(last) ? last : `Re: ${last}`.slice(0, 150)
  return vehicleTitle === null ? 'Your question' : `Your question about the ${vehicleTitle}`.slice(0, 150)
}

const priceText = ({ vehicle, currency }: LeadRecord, cents: number): string =>
  `The total price of the ${vehicle?.title ?? 'vehicle'} is ${formatPrice(cents, currency)}.`
