import { Group, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import {
  type LeadReport,
  leadResponses,
  type NamedFigures,
  type ReportedLeads,
  RESPONSE_FILES,
} from '#contract/leads/inbox/lead-responses.ts'
import { query } from '#web/api/query.ts'
import { useToday } from '#web/session/use-today.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { IconChartBar, IconDownload } from '@tabler/icons-react'
import { Action } from '#web/ui/controls/Action.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { useLeadStores } from './queue/StoreMenu.tsx'

const PERIODS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
]
const DAY_MS = 86_400_000

/** The days of a period that ends today. Calendar days have no time zone. */
function periodOf(days: number, today: string): { from: string; to: string } {
  const from = new Date(Date.parse(today) - (days - 1) * DAY_MS)
  return { from: from.toISOString().slice(0, 10), to: today }
}

/** "Nov 12 to Nov 18, Pacific Time": which leads the figures are about. */
function describePeriod({ from, to }: { from: string; to: string }, zone: string): string {
  const day = new Intl.DateTimeFormat(undefined, { timeZone: 'UTC', month: 'short', day: 'numeric' })
  const name = new Intl.DateTimeFormat(undefined, { timeZone: zone, timeZoneName: 'longGeneric' })
    .formatToParts(new Date(`${to}T12:00:00Z`))
    .find(({ type }) => type === 'timeZoneName')?.value
  return `Leads received ${day.format(new Date(from))} to ${day.format(new Date(to))}, ${name ?? zone}`
}

/** How fast people answered the leads of a period, by store, owner and source. Its figures open their leads. */
export function ResponseReport({ onClose }: { onClose: () => void }) {
  const [days, setDays] = useState('30')
  const [lotId, setLotId] = useState<string | null>(null)
  const stores = useLeadStores()
  const period = periodOf(Number(days), useToday())
  const asked = { ...period, ...(lotId !== null && { lotId }) }
  return (
    <FormDrawer
      title="Response report"
      size={920}
      about="First response by a person. Only opening hours of the lot count; automatic replies don't."
      onClose={onClose}
    >
      <div className="fc-lead">
        <Group gap="xs">
          <SegmentedControl data={PERIODS} value={days} onChange={setDays} aria-label="Period" />
          {stores.length > 1 && (
            <Select
              aria-label="Store"
              placeholder="All stores"
              clearable
              clearButtonProps={{ 'aria-label': 'All stores' }}
              searchable
              data={stores.map((store) => ({ value: store.lotId, label: store.name }))}
              value={lotId}
              onChange={setLotId}
            />
          )}
          <span className="fc-grow" />
          {RESPONSE_FILES.map((format) => (
            <Action
              key={format}
              for={leadResponses.export}
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden="true" />}
              onClick={() =>
                void fetchFile(leadResponses.export, { ...asked, format }, 'Response report').catch(showError)
              }
            >
              {format.toUpperCase()}
            </Action>
          ))}
        </Group>
        <Loaded
          query={query(leadResponses.get, asked)}
          what="the response report"
          shape="fields"
          label="Loading the report"
        >
          {(report) => <Report report={report} period={period} />}
        </Loaded>
      </div>
    </FormDrawer>
  )
}

type ReportProps = { report: LeadReport; period: { from: string; to: string } }

function Report({ report, period }: ReportProps) {
  if (report.total.leads.count === 0) {
    return (
      <EmptyState
        icon={<IconChartBar size={18} />}
        title="No leads in this period"
        text="Choose a longer one or another store."
      />
    )
  }
  const { deleted } = report.total.leads
  return (
    <>
      <p className="fc-small fc-soft">
        <bdi>{describePeriod(period, report.zone)}</bdi>
      </p>
      <Figures title="Total" rows={[{ ...report.total, id: null, name: 'All leads' }]} />
      <Figures title="By store" rows={report.byLot} />
      <Figures title="By person" rows={report.byUser} />
      <Figures title="By source" rows={report.bySource} />
      <p className="fc-small fc-soft">
        Median, 90% within and share under five minutes: of the answered leads. Waiting: not answered and not
        closed. Late: no response at the deadline. Escalated: a manager was told or got the lead. Person: who
        answered first, otherwise who owns the lead now. Test leads, duplicates and leads in quarantine don't
        count.
        {deleted > 0 && ` ${count(deleted, 'lead was', 'leads were')} deleted since and can't be opened.`}
      </p>
    </>
  )
}

function Figures({ title, rows }: { title: string; rows: readonly NamedFigures[] }) {
  if (rows.length === 0) return null
  return (
    <div className="fc-lead-figures">
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            {COUNTS.map(({ name, title: head, isWide }) => (
              <th key={name} scope="col" className={isWide ? 'fc-lead-wide-only' : undefined}>
                {head}
              </th>
            ))}
            <th scope="col">Median</th>
            <th scope="col" className="fc-lead-wide-only">
              90% within
            </th>
            <th scope="col" className="fc-lead-wide-only">
              Under 5 min
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.id} ${row.name}`}>
              <th scope="row">
                <bdi>{row.name}</bdi>
              </th>
              {COUNTS.map(({ name, title: head, isWide }) => (
                <td key={name} className={isWide ? 'fc-lead-wide-only' : undefined}>
                  <FigureLink of={row[name]} label={`${row.name}, ${head}`} />
                </td>
              ))}
              <td>{spanText(row.medianSeconds)}</td>
              <td className="fc-lead-wide-only">{spanText(row.p90Seconds)}</td>
              <td className="fc-lead-wide-only">
                {row.shareUnderFive === null ? '–' : percent.format(row.shareUnderFive)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const COUNTS = [
  { name: 'leads', title: 'Leads', isWide: false },
  { name: 'answered', title: 'Answered', isWide: true },
  { name: 'waiting', title: 'Waiting', isWide: false },
  { name: 'late', title: 'Late', isWide: false },
  { name: 'escalated', title: 'Escalated', isWide: true },
  { name: 'sold', title: 'Sold', isWide: false },
  { name: 'lost', title: 'Lost', isWide: true },
] as const

function FigureLink({ of: figure, label }: { of: ReportedLeads; label: string }) {
  const text = figure.count.toLocaleString()
  if (figure.url === null) return text
  return (
    <Link to={figure.url} className="fc-link" aria-label={`${label}: ${text}`}>
      {text}
    </Link>
  )
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent' })

/** "4 min", "1 h 5 min"; a dash if no one answered. */
function spanText(seconds: number | null): string {
  if (seconds === null) return '–'
  if (seconds < 60) return 'under 1 min'
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
