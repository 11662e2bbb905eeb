import { Button, Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LEAD_OUTCOMES, LEAD_TYPES, LOST_REASONS } from '#contract/leads/leads/lead-list.ts'
import { type LeadRecord, leads } from '#contract/leads/leads/leads.ts'
import { labelOf } from '#contract/record.ts'
import { keyOf, query, queryClient, send } from '#web/api/query.ts'
import { formatPrice } from '#web/inventory/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ActionItem } from '#web/ui/controls/ActionItem.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Composer } from './Composer.tsx'
import { LeadClock } from './LeadClock.tsx'
import { Timeline } from './Timeline.tsx'

/** What others do to an open lead is visible within this time. */
const REFRESH_MS = 10_000
const acceptLead = send(leads.accept)
const giveBackLead = send(leads.giveBack)
const releaseLead = send(leads.release)
const setOutcome = send(leads.setOutcome)

const keep = (lead: LeadRecord) => queryClient.setQueryData([...keyOf(leads.get), { id: lead.id }], lead)

/** One lead: its clock, what to do, the person and the vehicle, what happened, and the answer. */
export function LeadDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery({
    ...query(leads.get, { id }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <FormDrawer
      title={data?.personName ?? 'Lead'}
      size={640}
      about={
        data && <bdi>{`Lead ${data.id}, ${labelOf(LEAD_TYPES, data.type)}, ${data.lotName ?? 'no lot'}`}</bdi>
      }
      tools={data && <LeadClock lead={data} isPill />}
      onClose={onClose}
    >
      {error && !data && (
        <FailureState failure={error} endpoint={leads.get} what="this lead" onRetry={() => void refetch()} />
      )}
      {isPending && <RecordSkeleton label="Loading the lead" shape="facts" />}
      {data && (
        <>
          <div className="fc-lead">
            <LeadActions lead={data} />
            <Facts title="Person" rows={personRows(data)} />
            <Facts title="Vehicle" rows={vehicleRows(data)} />
            <Facts title="Source" rows={sourceRows(data)} />
            <Timeline events={data.timeline} />
          </div>
          <Composer lead={data} onChanged={keep} />
        </>
      )}
    </FormDrawer>
  )
}

/** Who works on it, when, and what became of it. */
function LeadActions({ lead }: { lead: LeadRecord }) {
  const { id, version, status, isMine, acceptedAt, ownerName } = lead
  const act = useMutation({
    mutationFn: (run: () => Promise<LeadRecord>) => run(),
    onSuccess: keep,
    onError: (failure) => showError(failure),
  })
  if (status === 'quarantined') {
    return (
      <div className="fc-lead-note" data-tone="warn">
        <p>
          <b>This looks like spam.</b> It was not given to anyone.
        </p>
        <Action
          for={leads.release}
          loading={act.isPending}
          onClick={() => act.mutate(() => releaseLead({ id, version }))}
        >
          Not spam
        </Action>
      </div>
    )
  }
  const isAccepted = isMine && acceptedAt !== null
  return (
    <div>
      <p className="fc-small fc-soft">
        <bdi>{ownerText(ownerName, acceptedAt)}</bdi>
      </p>
      <div className="fc-lead-actions">
        {!isAccepted && (
          <Action
            for={leads.accept}
            loading={act.isPending}
            onClick={() => act.mutate(() => acceptLead({ id, version }))}
          >
            Accept
          </Action>
        )}
        {isMine && (
          <Action
            for={leads.giveBack}
            variant="default"
            onClick={() => act.mutate(() => giveBackLead({ id, version, text: null }))}
          >
            Give back
          </Action>
        )}
        <OutcomeMenu lead={lead} onChoose={(run) => act.mutate(run)} />
      </div>
    </div>
  )
}

function ownerText(ownerName: string | null, acceptedAt: string | null): string {
  if (ownerName === null) return 'No one owns this lead yet.'
  return acceptedAt === null
    ? `Assigned to ${ownerName}, who has not accepted it yet.`
    : `${ownerName} works on it.`
}

/** What became of the lead; a lost one with its reason. */
function OutcomeMenu({
  lead: { id, version, outcome, personName },
  onChoose,
}: {
  lead: LeadRecord
  onChoose: (run: () => Promise<LeadRecord>) => void
}) {
  const choose = (next: 'open' | 'contacted' | 'sold' | 'lost', lostReason: string | null = null) =>
    onChoose(async () => {
      const saved = await setOutcome({ id, version, outcome: next, lostReason })
      toast(`Outcome: ${labelOf(LEAD_OUTCOMES, next)}`, personName)
      return saved
    })
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="default">{`Outcome: ${labelOf(LEAD_OUTCOMES, outcome)}`}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(['open', 'contacted', 'sold'] as const).map((next) => (
          <ActionItem key={next} for={leads.setOutcome} onClick={() => choose(next)}>
            {labelOf(LEAD_OUTCOMES, next)}
          </ActionItem>
        ))}
        <Menu.Divider />
        <Menu.Label>Lost</Menu.Label>
        {LOST_REASONS.map((reason) => (
          <ActionItem key={reason} for={leads.setOutcome} onClick={() => choose('lost', reason)}>
            {reason}
          </ActionItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type Row = readonly [title: string, value: ReactNode]

function personRows({ person, otherLeads }: LeadRecord): Row[] {
  return [
    [
      'Email',
      person.email && (
        <a key="email" href={`mailto:${person.email}`}>
          {person.email}
        </a>
      ),
    ],
    [
      'Phone',
      person.phone && (
        <a key="phone" href={`tel:${person.phoneE164 ?? person.phone}`}>
          {person.phone}
        </a>
      ),
    ],
    ['ZIP or postal code', person.postalCode],
    ['Best time', person.contactTime],
    ...otherLeads.map(({ id, vehicleTitle, type, outcome, receivedAt }): Row => [
      'Also here',
      <Link
        key={id}
        from="/customers/leads"
        to="/customers/leads"
        search={(before) => ({ ...before, lead: id })}
        className="fc-link"
      >
        {`${vehicleTitle ?? labelOf(LEAD_TYPES, type)}, ${labelOf(LEAD_OUTCOMES, outcome).toLowerCase()}, ${formatAgo(receivedAt)}`}
      </Link>,
    ]),
  ]
}

function vehicleRows({ vehicle, vehicleTitle, vehiclePriceCents, currency, tradeIn }: LeadRecord): Row[] {
  const trade = tradeIn && [tradeIn.year, tradeIn.make, tradeIn.model, tradeIn.trim].filter(Boolean).join(' ')
  return [
    [
      'Asked about',
      vehicle === null ? (
        vehicleTitle
      ) : (
        <Link key="vehicle" to="/inventory/vehicle-data/$id" params={{ id: vehicle.id }} className="fc-link">
          {vehicle.title}
        </Link>
      ),
    ],
    ['Total price shown', vehiclePriceCents === null ? null : formatPrice(vehiclePriceCents, currency)],
    ['Total price now', vehicle?.totalCents == null ? null : formatPrice(vehicle.totalCents, currency)],
    [
      'Other leads in 30 days',
      vehicle && vehicle.otherLeads > 0 ? vehicle.otherLeads.toLocaleString() : null,
    ],
    ['Trade-in', trade],
    ['Trade-in mileage', tradeIn?.mileage?.toLocaleString() ?? null],
  ]
}

function sourceRows({ sourceName, formName, comments, campaign, receivedAt }: LeadRecord): Row[] {
  const day = (instant: string) =>
    new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(new Date(instant))
  return [
    ['Source', [sourceName, formName].filter(Boolean).join(', ')],
    ['Comments', comments],
    ['Campaign', Object.values(campaign).join(', ')],
    ['Received', day(receivedAt)],
  ]
}

/** Titles with their values; those without a value are left out. */
function Facts({ title, rows }: { title: string; rows: readonly Row[] }) {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '')
  if (shown.length === 0) return null
  return (
    <section className="fc-lead-facts">
      <h3>{title}</h3>
      <dl>
        {shown.map(([name, value], at) => (
          <div key={at}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
