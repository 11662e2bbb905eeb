import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { Button, Select } from '@mantine/core'
import { useQuery, keepPreviousData } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { InboundAddress } from '#contract/leads/inbound/inbound-addresses.ts'
import {
  INBOUND_KEEP_DAYS,
  INBOUND_PAGE_SIZE,
  INBOUND_STATES,
  type InboundMessage,
  inboundMessages,
} from '#contract/leads/inbound/inbound-messages.ts'
import { labelOf } from '#contract/record.ts'
import { live } from '#web/api/live.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { count, formatAgo } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { messageNote, messageTitle, STATE_LOOKS } from './inbound-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const dismissAutomatic = send(inboundMessages.dismissAutomatic)
const route = getRouteApi('/shell/customers/lead-routing/inbound')

type Props = { addresses: readonly InboundAddress[]; selectedId: string | undefined }

/** What arrived, with what needs review first. Filters and the page are in the URL. */
export function MessageList({ addresses, selectedId }: Props) {
  const { from, state, page } = route.useSearch()
  const navigate = useNavigate()
  const chosen = INBOUND_STATES.find(({ value }) => value === state)?.value
  const number = Math.max(1, Number(page ?? 1) || 1)
  const input = {
    ...(from !== undefined && { addressId: from }),
    ...(chosen !== undefined && { state: chosen }),
    page: number,
  }
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...live(query(inboundMessages.list, input), 'queue'),
    placeholderData: keepPreviousData,
  })
  const show = (change: {
    from?: string | undefined
    state?: string | undefined
    page?: string | undefined
  }) =>
    void navigate({
      to: '.',
      search: (before: object) => ({ ...before, page: undefined, ...change }),
      replace: true,
    })
  const pages = data ? Math.max(1, Math.ceil(data.rowCount / INBOUND_PAGE_SIZE)) : 1
  return (
    <section aria-labelledby="inbound-messages" className="fc-inbound-part">
      <div className="fc-inbound-bar">
        <h2 id="inbound-messages">Messages</h2>
        <Select
          aria-label="Inbound address"
          data={addresses.map(({ id, label }) => ({ value: id, label }))}
          value={from ?? null}
          onChange={(value) => show({ from: value ?? undefined })}
          placeholder="All addresses"
          clearable
          clearButtonProps={{ 'aria-label': 'Show all addresses' }}
        />
        <Select
          aria-label="Result"
          data={INBOUND_STATES.map(({ value, label }) => ({ value, label }))}
          value={chosen ?? null}
          onChange={(value) => show({ state: value ?? undefined })}
          placeholder="All results"
          clearable
          clearButtonProps={{ 'aria-label': 'Show all results' }}
        />
      </div>
      <Loaded
        query={{ endpoint: inboundMessages.list, data, error, retry: () => void refetch() }}
        what="the messages"
        shape="facts"
      >
        {({ results, automatic }) => (
          <>
            {automatic.upTo !== null && (
              <DismissAutomatic addressId={from} count={automatic.count} upTo={automatic.upTo} />
            )}
            {results.length === 0 && (
              <p className="fc-inbound-none fc-soft">
                {from === undefined && chosen === undefined
                  ? 'Nothing has arrived yet. Create the URLs of an address, and give one to the lead provider.'
                  : 'No messages match.'}
              </p>
            )}
            {results.length > 0 && (
              <ul aria-label="Messages" aria-busy={isPlaceholderData}>
                {results.map((one) => (
                  <Row key={one.id} message={one} isSelected={one.id === selectedId} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      {pages > 1 && <Pages number={number} pages={pages} onPage={(next) => show({ page: String(next) })} />}
      <p className="fc-small fc-soft">
        {`Messages that didn't become a lead are deleted after ${INBOUND_KEEP_DAYS} days. Those of leads are deleted with the lead.`}
      </p>
    </section>
  )
}

type DismissProps = { addressId: string | undefined; count: number; upTo: string }

/** Out-of-office notices, newsletters and similar emails at once. Each can still be added as a lead. */
function DismissAutomatic({ addressId, count: many, upTo }: DismissProps) {
  const dismiss = useMutation({
    mutationFn: dismissAutomatic,
    onSuccess: (done) =>
      toast(`${count(done.count, 'email', 'emails')} dismissed`, 'Each can still be added as a lead.'),
    onError: (failure: Parameters<typeof showError>[0]) => showError(failure),
  })
  return (
    <div className="fc-routing-note fc-row">
      <span>
        {many === 1
          ? '1 email looks automatic, so it isn’t a lead yet.'
          : `${many.toLocaleString()} emails look automatic, so they aren’t leads yet.`}
      </span>
      <Action
        for={inboundMessages.dismissAutomatic}
        variant="default"
        size="compact-sm"
        flex="none"
        loading={dismiss.isPending}
        onClick={() => dismiss.mutate({ upTo, ...(addressId !== undefined && { addressId }) })}
      >
        {many === 1 ? 'Dismiss it' : `Dismiss all ${many.toLocaleString()}`}
      </Action>
    </div>
  )
}

type PagesProps = { number: number; pages: number; onPage: (number: number) => void }

function Pages({ number, pages, onPage }: PagesProps) {
  return (
    <nav className="fc-inbound-pages" aria-label="Pages of messages">
      <Button variant="default" disabled={number <= 1} onClick={() => onPage(number - 1)}>
        Newer
      </Button>
      <span className="fc-small fc-soft">{`Page ${number} of ${pages}`}</span>
      <Button variant="default" disabled={number >= pages} onClick={() => onPage(number + 1)}>
        Older
      </Button>
    </nav>
  )
}

function Row({ message, isSelected }: { message: InboundMessage; isSelected: boolean }) {
  const { id, state, addressLabel, receivedAt } = message
  const { tone, mark } = STATE_LOOKS[state]
  return (
    <li className="fc-inbound-row fc-inbound-message" data-selected={isSelected || undefined}>
      <div>
        <Status tone={tone} mark={mark}>
          {labelOf(INBOUND_STATES, state)}
        </Status>
      </div>
      <div>
        <MayOpen for={inboundMessages.get}>
          <Link
            to="/customers/lead-routing/inbound"
            search={(before: object) => ({ ...before, message: id })}
            className="fc-name"
          >
            <bdi>{messageTitle(message)}</bdi>
          </Link>
        </MayOpen>
        <span className="fc-second">
          <bdi>{messageNote(message)}</bdi>
        </span>
      </div>
      <span className="fc-soft fc-inbound-of">
        <bdi>{addressLabel}</bdi>
      </span>
      <time className="fc-soft fc-end" dateTime={receivedAt}>
        {formatAgo(receivedAt)}
      </time>
    </li>
  )
}
