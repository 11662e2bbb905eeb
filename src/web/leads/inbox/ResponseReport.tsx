import '@mantine/core/styles/SegmentedControl.layer.css'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { leadResponses, type ResponseFigures } from '#contract/leads/inbox/lead-responses.ts'
import { query } from '#web/api/query.ts'
import { useToday } from '#web/session/use-today.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { IconChartBar } from '@tabler/icons-react'

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

/** How fast people answered the leads of a period, by owner, source and lot. */
export function ResponseReport({ onClose }: { onClose: () => void }) {
  const [days, setDays] = useState('30')
  const period = periodOf(Number(days), useToday())
  return (
    <FormDrawer
      title="Response report"
      size={760}
      about="First response by a person. Only opening hours of the lot count; automatic replies don't."
      onClose={onClose}
    >
      <div className="fc-lead">
        <SegmentedControl data={PERIODS} value={days} onChange={setDays} aria-label="Period" />
        <Loaded
          query={query(leadResponses.get, period)}
          what="the response report"
          shape="facts"
          label="Loading the report"
        >
          {(report) => (
            <>
              {report.total.leads === 0 && (
                <EmptyState
                  icon={<IconChartBar size={18} />}
                  title="No leads in this period"
                  text="Choose a longer one."
                />
              )}
              {report.total.leads > 0 && (
                <>
                  <p className="fc-small fc-soft">
                    <bdi>{describePeriod(period, report.zone)}</bdi>
                  </p>
                  <Figures title="Total" rows={[{ ...report.total, id: null, name: 'All leads' }]} />
                  <Figures title="By owner" rows={report.byUser} />
                  <Figures title="By source" rows={report.bySource} />
                  <Figures title="By lot" rows={report.byLot} />
                  <p className="fc-small fc-soft">
                    Median and share under five minutes: of the answered leads. Late: no response at the
                    deadline. Owner: who owns the lead now. Test leads, duplicates and leads in quarantine
                    don't count.
                  </p>
                </>
              )}
            </>
          )}
        </Loaded>
      </div>
    </FormDrawer>
  )
}

type Row = ResponseFigures & { id: string | null; name: string }

function Figures({ title, rows }: { title: string; rows: readonly Row[] }) {
  if (rows.length === 0) return null
  return (
    <div className="fc-lead-figures">
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">Leads</th>
            <th scope="col" className="fc-lead-wide-only">
              Answered
            </th>
            <th scope="col">Median</th>
            <th scope="col">Under 5 min</th>
            <th scope="col">Late</th>
            <th scope="col">Sold</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.id} ${row.name}`}>
              <th scope="row">
                <bdi>{row.name}</bdi>
              </th>
              <td>{row.leads.toLocaleString()}</td>
              <td className="fc-lead-wide-only">{row.answered.toLocaleString()}</td>
              <td>{spanText(row.medianSeconds)}</td>
              <td>{row.shareUnderFive === null ? '–' : percent.format(row.shareUnderFive)}</td>
              <td>{row.late.toLocaleString()}</td>
              <td>{row.sold.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
