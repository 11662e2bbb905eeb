import { Button } from '@mantine/core'
import { useHotkeys, useMediaQuery } from '@mantine/hooks'
import { IconArrowLeft, IconChevronDown, IconChevronUp, IconMail, IconPhone } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { type LeadRecord, leads } from '#contract/leads/inbox/leads.ts'
import { labelOf } from '#contract/record.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { formatPrice, RowPicture } from '#web/vehicles/index.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { useRecordTitle } from '#web/ui/layout/use-record-title.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { isFree } from '#web/ui/controls/is-free.ts'
import { clockOf, timeOf } from './lead-clock.ts'
import { LeadStatus } from '../queue/lead-columns.tsx'
import { type AnswerKind, Composer, firstKind, useAnswerFields } from './Composer.tsx'
import { canAccept, LeadActionBar, ownerText } from './LeadActionBar.tsx'
import { LeadClock } from './LeadClock.tsx'
import { LeadFacts } from './LeadFacts.tsx'
import type { LeadMenu } from './LeadMenus.tsx'
import { NoStoreNote } from './SendToStore.tsx'
import { QuarantineNote } from '../queue/QuarantineNote.tsx'
import { LeadTimeline } from './LeadTimeline.tsx'
import { useLeadActions } from './use-lead-actions.ts'
import { WhyHere } from './WhyHere.tsx'
import { useNow } from '../use-now.ts'

type Props = {
  id: string
  /** Its place in the queue, from 1; null if it isn't in the queue. */
  place: { at: number; of: number } | null
  onNext: (() => void) | null
  onPrevious: (() => void) | null
  onClose: () => void
  /** Returns the focus to the queue. */
  onLeave: () => void
}

/** The conversation of a lead with the composer, and beside it the person and the vehicle. */
export function LeadPane(props: Props) {
  const { id, onClose } = props
  const load = useLoad(live(query(leads.get, { id }), 'queue'))
  if (load.data) return <OpenLead {...props} lead={load.data} />
  return (
    <section className="fc-lead-pane" aria-label="Lead">
      <div className="fc-lead-narrow-only">
        <BackButton onClose={onClose} />
      </div>
      <Loaded
        query={load}
        what="this lead"
        shape={
          <div className="fc-lead-scroll">
            <RecordSkeleton label="Loading the lead" shape="facts" />
          </div>
        }
      >
        {() => null}
      </Loaded>
    </section>
  )
}

/** Must be a constant: it is called when the element is added. */
const reveal = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

function OpenLead(props: Props & { lead: LeadRecord }) {
  const { lead, onClose, onLeave } = props
  const actions = useLeadActions(lead)
  const [menu, setMenu] = useState<LeadMenu | null>(null)
  const [kind, setKind] = useState<AnswerKind>(() => firstKind(lead))
  const [isAnswering, setIsAnswering] = useState(false)
  const fields = useAnswerFields()
  const isQuarantined = lead.status === 'quarantined'
  const answer = (next: AnswerKind) => {
    if (isQuarantined) return
    // The field of the other kind isn't there before.
    flushSync(() => {
      setKind(next)
      setIsAnswering(true)
    })
    const first = next === 'call' ? fields.resultRef : fields.textRef
    first.current?.focus()
  }
  useLeadKeys({
    a: () => canAccept(lead) && !actions.isPending && actions.accept(),
    r: () => answer('email'),
    t: () => {
      answer('email')
      if (!isQuarantined) setMenu('template')
    },
    c: () => answer('call'),
    n: () => answer('note'),
    s: () => !isQuarantined && setMenu('snooze'),
    e: () => !isQuarantined && setMenu('outcome'),
    o: () => !isQuarantined && setMenu('assign'),
    g: () => lead.isMine && !actions.isPending && actions.giveBack(),
  })
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  const isFolded = useMediaQuery('(max-width: 1279px)', false, { getInitialValueInEffect: false })
  const leave = () => {
    setIsAnswering(false)
    onLeave()
  }
  return (
    <section className="fc-lead-pane" aria-label="Lead">
      <LeadHead
        {...props}
        bar={<LeadActionBar {...{ lead, actions, menu }} onMenu={setMenu} onRemoved={onClose} />}
      />
      <div className="fc-lead-split">
        <div className="fc-lead-talk">
          {isFolded && <FoldedFacts lead={lead} />}
          <QuarantineNote lead={lead} actions={actions} onRemoved={onClose} />
          <NoStoreNote lead={lead} onMoved={onClose} />
          <div className="fc-lead-scroll" tabIndex={-1}>
            <LeadTimeline lead={lead} route={<WhyHere leadId={lead.id} />} />
            {/* The latest message is what has to be answered. */}
            <span key={lead.timeline.length} ref={reveal} />
          </div>
          {isNarrow && !isAnswering && !isQuarantined && <PhoneBar lead={lead} onAnswer={answer} />}
          {(!isNarrow || isAnswering) && !isQuarantined && (
            <Composer
              {...{ lead, kind, menu, ...fields }}
              onMenu={setMenu}
              onKind={setKind}
              onLeave={leave}
            />
          )}
          {!isNarrow && <LeadKeys />}
        </div>
        {!isFolded && (
          <aside className="fc-lead-facts-pane" aria-label="Person and vehicle">
            <LeadFacts lead={lead} />
          </aside>
        )}
      </div>
    </section>
  )
}

/** The person and the vehicle on a smaller screen: one line until they are opened. */
function FoldedFacts({ lead }: { lead: LeadRecord }) {
  const { vehicle, vehicleTitle, currency } = lead
  const title = vehicle?.title ?? vehicleTitle ?? 'Person and source'
  return (
    <details className="fc-lead-fold">
      <summary>
        {vehicle !== null && <RowPicture vehicle={vehicle} />}
        <span className="fc-grow">
          <bdi>{title}</bdi>
          <span className="fc-second">
            <bdi>
              {[
                vehicle?.stock,
                vehicle?.mileage != null && `${vehicle.mileage.toLocaleString()} ${vehicle.distanceUnit}`,
                lead.isSoldElsewhere && 'sold to someone else',
                lead.tradeIn && 'with trade-in',
              ]
                .filter(Boolean)
                .join(' · ')}
            </bdi>
          </span>
        </span>
        {vehicle?.totalCents != null && <b>{formatPrice(vehicle.totalCents, currency)}</b>}
      </summary>
      <div className="fc-lead-folded">
        <LeadFacts lead={lead} />
      </div>
    </details>
  )
}

/** What a phone offers for an answer. A channel that can't be used says why. */
function PhoneBar({ lead, onAnswer }: { lead: LeadRecord; onAnswer: (kind: AnswerKind) => void }) {
  const { phone, phoneE164 } = lead.person
  const reasonOf = (name: 'email' | 'call' | 'text') =>
    lead.channels.find(({ channel }) => channel === name)?.reason ?? null
  const [email, call] = [reasonOf('email'), reasonOf('call')]
  const reasons = [email, call, reasonOf('text')].filter((reason) => reason !== null)
  return (
    <div className="fc-lead-phone">
      <div className="fc-row">
        <Button
          component="a"
          href={phone === null ? undefined : `tel:${phoneE164 ?? phone}`}
          variant="default"
          size="lg"
          leftSection={<IconPhone size={18} aria-hidden="true" />}
          {...(call !== null && { 'data-disabled': true, 'aria-disabled': true, href: undefined })}
          onClick={() => call === null && onAnswer('call')}
        >
          Call
        </Button>
        <Button variant="default" size="lg" onClick={() => onAnswer('note')}>
          Note
        </Button>
        <Button
          className="fc-grow"
          size="lg"
          leftSection={<IconMail size={18} aria-hidden="true" />}
          disabled={email !== null}
          onClick={() => onAnswer('email')}
        >
          Reply by email
        </Button>
      </div>
      {reasons.length > 0 && <p className="fc-small fc-soft">{reasons.join(' ')}</p>}
    </div>
  )
}

const KEYS = [
  ['a', 'accept'],
  ['r', 'reply'],
  ['t', 'template'],
  ['s', 'snooze'],
  ['e', 'outcome'],
  ['?', 'all keys'],
] as const

/** The keys of an open lead; the list of shortcuts has them for screen readers too. */
function LeadKeys() {
  return (
    <footer className="fc-list-footer fc-lead-keys" aria-hidden="true">
      {KEYS.map(([key, what]) => (
        <span key={key}>
          <kbd className="fc-key">{key}</kbd> {what}
        </span>
      ))}
    </footer>
  )
}

/** Keys of an open lead. In a field, a menu or a dialog, they are text. */
function useLeadKeys(keys: Readonly<Record<string, () => unknown>>): void {
  useHotkeys(Object.entries(keys).map(([key, act]) => [key, (event) => void (isFree(event) && act())]))
}

type HeadProps = Props & { lead: LeadRecord; bar: ReactNode }

/** The name, the clock, the owner and the actions. */
function LeadHead({ lead, place, bar, onNext, onPrevious, onClose }: HeadProps) {
  const { id, type, lotName, personName } = lead
  useRecordTitle(personName)
  const now = useNow()
  const { tone, text } = clockOf(lead, now)
  const about = [`Lead ${id}`, labelOf(LEAD_TYPES, type), lotName ?? 'No lot', ownerText(lead)].join(' · ')
  return (
    <header className="fc-lead-head">
      <div className="fc-row">
        <span className="fc-lead-narrow-only">
          <BackButton onClose={onClose} />
        </span>
        <span className="fc-lead-initials" aria-hidden="true">
          {initialsOf(personName)}
        </span>
        <div className="fc-grow">
          <h2 className="fc-lead-name">
            <bdi>{personName}</bdi> <LeadStatus lead={lead} />
          </h2>
          <p className="fc-small fc-soft">
            <bdi>{place === null ? about : `${place.at} of ${place.of} · ${about}`}</bdi>
          </p>
        </div>
        <span className="fc-lead-narrow-only fc-row">
          <Button
            variant="subtle"
            aria-label="Previous lead"
            className="fc-lead-icon"
            disabled={onPrevious === null}
            onClick={() => onPrevious?.()}
          >
            <IconChevronUp size={18} aria-hidden="true" />
          </Button>
          <Button
            variant="subtle"
            aria-label="Next lead"
            className="fc-lead-icon"
            disabled={onNext === null}
            onClick={() => onNext?.()}
          >
            <IconChevronDown size={18} aria-hidden="true" />
          </Button>
        </span>
      </div>
      <div className="fc-lead-band" data-tone={tone}>
        <span className="fc-lead-clock">
          <LeadClock lead={lead} />
          {lead.waitsUntil !== null && !text.startsWith('Respond') && (
            <span className="fc-small fc-soft fc-lead-by">
              <bdi>{`respond by ${timeOf(Date.parse(lead.waitsUntil), { now, zone: lead.zone })}`}</bdi>
            </span>
          )}
        </span>
        <span className="fc-grow" />
        {bar}
      </div>
    </header>
  )
}

function BackButton({ onClose }: { onClose: () => void }) {
  return (
    <Button variant="subtle" aria-label="Back to the leads" className="fc-lead-icon" onClick={onClose}>
      <IconArrowLeft size={18} className="fc-flip" aria-hidden="true" />
    </Button>
  )
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}/u.test(word))
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.[0] ?? '')
  return letters.join('').toUpperCase()
}
