import { Button, Group, NativeSelect, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { AnswerTemplate } from '#contract/leads/reply-templates/answer-templates.ts'
import { type AnswerFinding, findingsOfAnswer, stopsAnswer } from '#contract/leads/inbox/check-answer.ts'
import { fillTemplate, problemOfAnswer } from '#contract/leads/reply-templates/fill-template.ts'
import { CALL_RESULTS } from '#contract/leads/inbox/lead-events.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { useMutation } from '#web/api/mutation.ts'
import { queryClient, send } from '#web/api/query.ts'
import { showKeys } from '#web/shell/keys.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { withoutSent } from '#web/ui/call-form/without-sent.ts'
import { useKeptTyping } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { answerValues, insertAnswer } from '../../reply-templates/answer-values.ts'
import { TemplateMenu } from '../../reply-templates/TemplateMenu.tsx'
import type { LeadMenu } from './LeadMenus.tsx'
import { setLeadInCache } from './use-lead-actions.ts'

const sendEmail = send(leads.sendEmail)
const logCall = send(leads.logCall)
const addNote = send(leads.addNote)
/** The most findings that are shown below an answer. */
const MAX_FINDINGS = 3

/** An answer to the buyer, or a call or a note for the store. */
export type AnswerKind = 'email' | 'call' | 'note'
const KINDS = [
  { value: 'email', label: 'Email' },
  { value: 'call', label: 'Call' },
  { value: 'note', label: 'Note' },
]
const isKind = (text: string): text is AnswerKind => KINDS.some(({ value }) => value === text)
type Result = (typeof CALL_RESULTS)[number]['value']
const isResult = (text: string | null): text is Result => CALL_RESULTS.some(({ value }) => value === text)

type Texts = Record<AnswerKind, string>
/** `subject`: null until a text or a subject was typed; what is shown then follows the lead. */
type Draft = Readonly<Texts & { subject: string | null; result: Result }>
const BLANK: Draft = { subject: null, email: '', call: '', note: '', result: 'reached' }
const TEXTS = ['subject', 'email', 'call', 'note'] as const

const draftKey = (id: string) => ['lead draft', id]
queryClient.setQueryDefaults(['lead draft'], { gcTime: Infinity })

/**
 * What is typed about a lead stays until it is sent, also while other leads are open. The cache, which ends with the session,
 * keeps it; the field itself needs the text at once.
 */
function useDraft(lead: LeadRecord, open: AnswerKind, onKind: (kind: AnswerKind) => void) {
  const [draft, setDraft] = useState(() => queryClient.getQueryData<Draft>(draftKey(lead.id)) ?? BLANK)
  const change = (changes: Partial<Draft>) => {
    // A text keeps the subject it was written under, also if its answer is lost and the email is in the lead already.
    const subject = draft.subject ?? ((changes.email ?? '') === '' ? null : subjectOf(lead))
    const next = { ...draft, subject, ...changes }
    setDraft(next)
    queryClient.setQueryData(draftKey(lead.id), next)
  }
  const shown = { ...draft, subject: draft.subject ?? subjectOf(lead) }
  const kept = useKeptTyping({
    endpoint: leads.sendEmail,
    record: lead,
    values: shown,
    changed: TEXTS.filter((name) => draft[name] !== BLANK[name]),
    putBack: (values) => {
      change(values)
      // What was put back is shown.
      const [back] = (['email', 'call', 'note'] as const).filter((one) => values[one] !== undefined)
      if (back !== undefined && values[open] === undefined) onKind(back)
    },
  })
  /** Removes what was sent. Returns whether something was typed meanwhile. */
  const finish = (kind: AnswerKind, sent: typeof shown) => {
    const text = withoutSent(draft[kind], sent[kind])
    const subject = kind === 'email' && shown.subject === sent.subject ? null : draft.subject
    const next = { ...draft, [kind]: text, subject, ...(kind === 'call' && { result: BLANK.result }) }
    change(next)
    const left = TEXTS.filter((name) => next[name] !== BLANK[name])
    kept.end(
      left.length === 0 ? undefined : { values: Object.fromEntries(left.map((name) => [name, next[name]])) },
    )
    return text !== ''
  }
  return { draft: shown, change, kept, finish }
}

/** The first fields of a composer, for keys that open it. */
export function useAnswerFields() {
  const resultRef = useRef<HTMLSelectElement>(null)
  const textRef = useRef<HTMLTextAreaElement>(null)
  return { resultRef, textRef }
}

type Props = {
  lead: LeadRecord
  kind: AnswerKind
  menu: LeadMenu | null
  onMenu: (menu: LeadMenu | null) => void
  onKind: (kind: AnswerKind) => void
  resultRef: RefObject<HTMLSelectElement | null>
  textRef: RefObject<HTMLTextAreaElement | null>
  /** After it was sent, or with Escape. */
  onLeave: () => void
}

/** What is sent. */
type Answer = {
  kind: AnswerKind
  draft: ReturnType<typeof useDraft>['draft']
  /** The address of the buyer that was chosen; null: the one that is used. */
  to: string | null
  sendsAnyway: boolean
}

/** Sends the email, or saves the call or the note. */
function useSaveAnswer({ id }: LeadRecord, onSaved: (answer: Answer) => void) {
  return useMutation({
    mutationFn: ({ kind, draft, to, sendsAnyway }: Answer) => {
      const text = draft[kind]
      if (kind === 'email') {
        const more = { ...(to !== null && { toEmail: to }), ...(sendsAnyway && { sendsAnyway }) }
        return sendEmail({ id, subject: draft.subject, text, ...more })
      }
      if (kind === 'call')
        return logCall({ id, result: draft.result, text: text.trim() === '' ? null : text })
      return addNote({ id, text })
    },
    onSuccess: (saved, answer) => {
      toast(DONE[answer.kind], saved.personName)
      setLeadInCache(saved)
      onSaved(answer)
    },
    onError: (failure) => showError(failure),
  })
}

/** What keeps an answer from being sent, and what its author should know. */
function checkAnswer(lead: LeadRecord, kind: AnswerKind, draft: Answer['draft']) {
  const text = draft[kind]
  const isEmail = kind === 'email' && text.trim() !== ''
  const forbidden = reasonAgainst(lead, kind)
  const problem = kind === 'email' ? problemOfAnswer(`${draft.subject} ${text}`) : null
  const findings = isEmail ? findingsOfAnswer({ subject: draft.subject, text }, lead) : []
  const isComplete = !forbidden && !problem && (kind === 'call' || text.trim() !== '')
  return { forbidden, problem, findings, sendsAnyway: findings.some(stopsAnswer), isComplete }
}

/** Answers the buyer, or records a call or a note. */
export function Composer(props: Props) {
  const { lead, kind, resultRef, textRef, onLeave } = props
  const { draft, change, kept, finish } = useDraft(lead, kind, props.onKind)
  const text = draft[kind]
  const [to, setTo] = useState<string | null>(null)
  const save = useSaveAnswer(lead, (answer) => {
    if (!finish(answer.kind, answer.draft)) onLeave()
  })
  const { forbidden, problem, findings, sendsAnyway, isComplete } = checkAnswer(lead, kind, draft)
  const isReady = isComplete && !save.isPending
  /** Where the cursor was last; null until there was one. */
  const cursor = useRef<number | null>(null)
  const insert = (words: string, more: Partial<Draft> = {}) => {
    const { text: email, end } = insertAnswer(draft.email, { words, at: cursor.current, lead })
    flushSync(() => change({ ...more, email }))
    textRef.current?.focus()
    textRef.current?.setSelectionRange(end, end)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isReady) {
      event.preventDefault()
      save.mutate({ kind, draft, to, sendsAnyway })
    }
    if (event.key === 'Escape') onLeave()
  }
  return (
    <section className="fc-lead-composer" aria-label="Answer">
      <ComposerHead
        {...props}
        onInsert={insert}
        onTemplate={(template) => {
          const filled = fillIn(template, lead)
          const isKept = draft.subject !== subjectOf(lead) || isReply(draft.subject)
          insert(filled.text, filled.subject === null || isKept ? {} : { subject: filled.subject })
        }}
      />
      <KeptNotice kept={kept} labels={KEPT_LABELS} />
      {forbidden !== null && <output className="fc-small fc-lead-forbidden">{forbidden}</output>}
      {kind === 'email' && <AddressChoice lead={lead} to={to} onChoose={setTo} />}
      {kind === 'email' && (
        <TextInput
          aria-label="Subject"
          value={draft.subject}
          maxLength={150}
          onKeyDown={onKeyDown}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
      )}
      {kind === 'call' && (
        <CallResult ref={resultRef} result={draft.result} onKeyDown={onKeyDown} onChange={change} />
      )}
      <Textarea
        ref={textRef}
        onKeyDown={onKeyDown}
        onSelect={({ currentTarget }) => (cursor.current = currentTarget.selectionEnd)}
        aria-label={LABELS[kind]}
        placeholder={LABELS[kind]}
        value={text}
        autosize
        minRows={kind === 'email' ? 3 : 2}
        maxRows={10}
        maxLength={kind === 'email' ? 20_000 : 4_000}
        onChange={(event) => change({ [kind]: event.currentTarget.value })}
      />
      {problem !== null && <output className="fc-small fc-lead-forbidden">{problem}</output>}
      <Findings findings={findings} />
      <Group gap={8}>
        <p className="fc-small fc-soft">
          <bdi>{noteOf(lead, kind)}</bdi>
        </p>
        <span className="fc-grow" />
        <Action
          for={CALLS[kind]}
          disabled={!isReady}
          saves
          loading={save.isPending}
          rightSection={<kbd className="fc-key fc-lead-send">{showKeys('Mod Enter')}</kbd>}
          onClick={() => save.mutate({ kind, draft, to, sendsAnyway })}
        >
          {sendsAnyway ? 'Send anyway' : BUTTONS[kind]}
        </Action>
      </Group>
    </section>
  )
}

type CallResultProps = {
  ref: RefObject<HTMLSelectElement | null>
  result: Result
  onKeyDown: (event: KeyboardEvent) => void
  onChange: (changes: { result: Result }) => void
}

function CallResult({ ref, result, onKeyDown, onChange }: CallResultProps) {
  return (
    <NativeSelect
      ref={ref}
      onKeyDown={onKeyDown}
      aria-label="How the call ended"
      data={[...CALL_RESULTS]}
      value={result}
      onChange={({ currentTarget: { value } }) => isResult(value) && onChange({ result: value })}
    />
  )
}

/** To which of the buyer's addresses the email goes; nothing to choose with only one. */
function AddressChoice({
  lead: { contacts },
  to,
  onChoose,
}: {
  lead: LeadRecord
  to: string | null
  onChoose: (to: string) => void
}) {
  const emails = contacts.filter(({ kind }) => kind === 'email')
  if (emails.length < 2) return null
  const used = emails.find(({ isUsed }) => isUsed)?.value
  return (
    <NativeSelect
      aria-label="To"
      data={emails.map(({ value, isNew, isUsed }) => ({
        value,
        label: ['To: ', value, isUsed ? ', used for answers' : '', isNew ? ', new' : ''].join(''),
      }))}
      value={to ?? used}
      onChange={(event) => onChoose(event.currentTarget.value)}
    />
  )
}

type HeadProps = Pick<Props, 'lead' | 'kind' | 'onKind' | 'menu' | 'onMenu'> & {
  onInsert: (words: string) => void
  onTemplate: (template: AnswerTemplate) => void
}

/** What the price law of the lot has against an answer. It can be sent anyway: it is help, not legal advice. */
function Findings({ findings }: { findings: readonly AnswerFinding[] }) {
  if (findings.length === 0) return null
  return (
    <output className="fc-small fc-lead-findings">
      {findings.slice(0, MAX_FINDINGS).map(({ words, from, message, source }) => (
        <span key={`${from} ${words} ${message}`} title={source}>
          {words !== '' && (
            <b>
              <bdi>“{words}”</bdi>{' '}
            </b>
          )}
          {message}
        </span>
      ))}
    </output>
  )
}

/** Email, call or note; the reason against texts; and for an email the templates and the total price of the pricing rules. */
function ComposerHead({ lead, kind, menu, onKind, onMenu, onInsert, onTemplate }: HeadProps) {
  const priceText = lead.vehicle?.priceText ?? null
  const text = lead.channels.find(({ channel }) => channel === 'text')?.reason ?? null
  return (
    <Group gap={8}>
      <SegmentedControl
        size="xs"
        data={KINDS}
        value={kind}
        onChange={(next) => isKind(next) && onKind(next)}
        aria-label="Kind of answer"
      />
      {text !== null && <p className="fc-small fc-soft fc-lead-wide-only">{text}</p>}
      <span className="fc-grow" />
      {kind === 'email' && (
        <TemplateMenu
          isOpen={menu === 'template'}
          onOpen={(isOpen) => onMenu(isOpen ? 'template' : null)}
          onChoose={onTemplate}
        />
      )}
      {kind === 'email' && priceText !== null && (
        <Button variant="default" size="xs" onClick={() => onInsert(priceText)}>
          Insert price
        </Button>
      )}
    </Group>
  )
}

const CALLS = { email: leads.sendEmail, call: leads.logCall, note: leads.addNote } as const
const BUTTONS = { email: 'Send', call: 'Save call', note: 'Save note' } as const
const DONE = { email: 'Email queued', call: 'Call recorded', note: 'Note added' } as const
const LABELS = {
  email: 'Message',
  call: 'Notes from the call (optional)',
  note: "Internal note (the buyer doesn't see it)",
} as const

const KEPT_LABELS = {
  subject: 'Subject',
  email: 'Message',
  call: 'Notes from the call',
  note: 'Internal note',
}

/** The kind of answer that a lead starts with: an email if the buyer can get one. */
export function firstKind({ channels }: LeadRecord): AnswerKind {
  return channels.some(({ channel, isAllowed }) => channel === 'email' && isAllowed) ? 'email' : 'call'
}

function reasonAgainst({ channels, status }: LeadRecord, kind: AnswerKind): string | null {
  if (kind === 'note') return null
  if (status === 'quarantined') return 'This lead is in quarantine. Release it first.'
  return channels.find(({ channel }) => channel === kind)?.reason ?? null
}

function noteOf({ repliesReturn, ownAddress }: LeadRecord, kind: AnswerKind): string {
  if (kind === 'call') return 'A call counts as a response only if you reached the buyer.'
  if (kind === 'note') return ''
  if (repliesReturn) return 'Replies come back to this lead.'
  return `Replies go to ${ownAddress ?? 'the sender of your emails'}, not to this lead.`
}

/** A template with what the lead has. */
function fillIn({ subject, text }: AnswerTemplate, lead: LeadRecord) {
  const values = answerValues(lead)
  return {
    subject: subject === null ? null : fillTemplate(subject, values).slice(0, 150),
    text: fillTemplate(text, values),
  }
}

const isReply = (subject: string): boolean => /^re:/i.test(subject)

function subjectOf({ vehicleTitle, timeline }: LeadRecord): string {
  const last = timeline.findLast(
    ({ message }) => message !== null && !message.isAutomatic && message.subject !== '',
  )?.message?.subject
  if (last !== undefined) return isReply(last) ? last : `Re: ${last}`.slice(0, 150)
  return vehicleTitle === null ? 'Your question' : `Your question about the ${vehicleTitle}`.slice(0, 150)
}
