import { Button, Group, Select, Stack, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import {
  LEFT_OUT_LATER,
  RECIPIENT_STATES,
  type Recipient,
  type RecipientState,
} from '#contract/marketing/campaigns/recipients.ts'
import { labelOf } from '#contract/record.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatMoment } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import '@mantine/core/styles/Table.layer.css'

const PAGE_SIZE = 50
const PAUSE_MS = 300
const LOOKS = {
  queued: { tone: 'mute', mark: 'wait' },
  sent: { tone: 'info', mark: 'half' },
  delivered: { tone: 'good', mark: 'check' },
  opened: { tone: 'good', mark: 'check' },
  clicked: { tone: 'good', mark: 'check' },
  unsubscribed: { tone: 'warn', mark: 'dash' },
  'in-doubt': { tone: 'warn', mark: 'alert' },
  bounced: { tone: 'bad', mark: 'cross' },
  complained: { tone: 'bad', mark: 'cross' },
  'not-sent': { tone: 'mute', mark: 'pause' },
  'left-out': { tone: 'mute', mark: 'dash' },
} as const

/** Everyone a campaign is for, with what became of the email. */
export function RecipientsTab({ campaign }: { campaign: Campaign }) {
  const [state, setState] = useState<RecipientState | null>(null)
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [settled] = useDebouncedValue(search, PAUSE_MS)
  const input = { id: campaign.id, page, search: settled, ...(state !== null && { state }) }
  const source = live(query(campaigns.recipients, input), { while: () => campaign.state === 'sending' })
  return (
    <Stack px="var(--fc-gutter)" py={16} gap={16}>
      <Group gap={8} align="end">
        <TextInput
          label="Search"
          placeholder="Name, email"
          value={search}
          onChange={({ currentTarget: { value } }) => {
            setSearch(value)
            setPage(1)
          }}
        />
        <StateSelect campaign={campaign} value={state} onChange={(next) => (setState(next), setPage(1))} />
      </Group>
      <Loaded query={source} what="the recipients" shape="spinner">
        {({ rows, total }) => (
          <>
            <Text size="sm" aria-live="polite">
              {count(total, 'recipient', 'recipients')}
            </Text>
            {rows.length > 0 && <Rows rows={rows} />}
            {total > PAGE_SIZE && (
              <Group gap={8}>
                <Button variant="default" size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
                  Previous
                </Button>
                <Text size="sm">
                  Page {page} of {Math.ceil(total / PAGE_SIZE)}
                </Text>
                <Button
                  variant="default"
                  size="xs"
                  disabled={page * PAGE_SIZE >= total}
                  onClick={() => setPage(page + 1)}
                >
                  Next
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

type StateProps = {
  campaign: Campaign
  value: RecipientState | null
  onChange: (state: RecipientState | null) => void
}

function StateSelect({ campaign, value, onChange }: StateProps) {
  return (
    <Loaded
      query={query(campaigns.recipients, { id: campaign.id, page: 1 })}
      what="the recipients"
      shape={null}
    >
      {({ counts }) => (
        <Select
          label="Status"
          placeholder="All"
          clearable
          data={counts.map((one) => ({
            value: one.state,
            label: `${labelOf(RECIPIENT_STATES, one.state)} (${one.count.toLocaleString()})`,
          }))}
          value={value}
          onChange={onChange}
        />
      )}
    </Loaded>
  )
}

function Rows({ rows }: { rows: readonly Recipient[] }) {
  return (
    <section style={SCROLLS} aria-label="Recipients" {...REACHED_BY_KEYS}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Name</Table.Th>
            <Table.Th ta="end" scope="col">
              Status
            </Table.Th>
            <Table.Th ta="end" scope="col">
              Sent
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.id}>
              <Table.Th scope="row" fw={500}>
                <bdi>{row.name ?? row.email}</bdi>
                <span className="fc-second">
                  <bdi dir="ltr">{row.email}</bdi>
                </span>
              </Table.Th>
              <Table.Td ta="end">
                <Status {...LOOKS[row.state]}>{labelOf(RECIPIENT_STATES, row.state)}</Status>
                {whyOf(row) !== null && (
                  <span className="fc-second">
                    <bdi>{whyOf(row)}</bdi>
                  </span>
                )}
              </Table.Td>
              <Table.Td ta="end">{row.mailedAt !== null && formatMoment(row.mailedAt)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

const whyOf = ({ reason, error }: Recipient): string | null =>
  reason === null ? error : LEFT_OUT_LATER[reason]

/** What scrolls must be reachable by keyboard. */
const SCROLLS = { overflowX: 'auto' } as const
const REACHED_BY_KEYS = { tabIndex: 0 } as const
