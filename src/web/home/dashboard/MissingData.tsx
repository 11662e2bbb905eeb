import { VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { CurrentInventory, DuePoints } from '#contract/carbon/results/due-points.ts'
import { CARBON_STEPS } from '#web/carbon/index.ts'
import { useHolds } from '#web/session/use-session.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './missing-data.css'

type Facility = DuePoints['facilities'][number]
type Month = Facility['months'][number]
type Props = { inventory: CurrentInventory; points: DuePoints }

/** A year fits; of longer inventories the latest months are shown. */
const MOST_MONTHS = 12
const shortMonth = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' })
const monthAndYear = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** The data points of the current inventory whose time has passed, by facility and month. Hidden without any. */
export function MissingData({ inventory, points }: Props) {
  const opens = useHolds()(CARBON_STEPS.emission.needs) === true
  const months = points.months.slice(-MOST_MONTHS)
  if (months.length === 0) return null
  return (
    <section className="fc-card fc-card-wide" aria-labelledby="missing-data">
      <header>
        <h2 id="missing-data">Data collected</h2>
        <span className="fc-grow fc-small fc-faint">
          <bdi>{inventory.name}</bdi>, data points by the month they end in
        </span>
        {opens && (
          <Link
            to="/carbon/emission"
            search={{ inventory: inventory.id, tab: 'activity' }}
            className="fc-small"
          >
            Enter data
          </Link>
        )}
      </header>
      <p>
        <bdi>{summarize(points)}</bdi>
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- Keyboard users scroll it on narrow screens. */}
      <section className="fc-missing" aria-label="Data points by facility and month" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Facility</th>
              {months.map((month) => (
                <th key={month} scope="col" title={monthAndYear.format(new Date(month))}>
                  {shortMonth.format(new Date(month))}
                </th>
              ))}
              <th scope="col" className="fc-number">
                Received
              </th>
            </tr>
          </thead>
          <tbody>
            {points.facilities.map((facility) => (
              <tr key={facility.facilityId}>
                <th scope="row">
                  <bdi>{facility.name}</bdi>
                </th>
                {months.map((month) => (
                  <Cell key={month} points={facility.months.find((one) => one.month === month)} />
                ))}
                <td className="fc-number">
                  {facility.there.toLocaleString()} of {facility.expected.toLocaleString()}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <ul className="fc-missing-legend" aria-hidden="true">
        <li data-state="complete">Complete</li>
        <li data-state="estimated">Estimated</li>
        <li data-state="missing">1 or 2 missing</li>
        <li data-state="most">3 or more missing</li>
      </ul>
    </section>
  )
}

function Cell({ points }: { points: Month | undefined }) {
  if (points === undefined) {
    return (
      <td>
        <VisuallyHidden>none due</VisuallyHidden>
      </td>
    )
  }
  const state = stateOf(points)
  return (
    <td>
      <span data-state={state}>
        {state === 'complete' && (
          <>
            <IconCheck size={14} aria-hidden="true" />
            <VisuallyHidden>complete</VisuallyHidden>
          </>
        )}
        {state === 'estimated' && (
          <>
            <span aria-hidden="true">est.</span>
            <VisuallyHidden>{points.estimated.toLocaleString()} estimated</VisuallyHidden>
          </>
        )}
        {points.missing > 0 && (
          <>
            {points.missing.toLocaleString()}
            <VisuallyHidden> missing</VisuallyHidden>
          </>
        )}
      </span>
    </td>
  )
}

function stateOf({ missing, estimated }: Month): 'complete' | 'estimated' | 'missing' | 'most' {
  if (missing >= 3) return 'most'
  if (missing > 0) return 'missing'
  return estimated > 0 ? 'estimated' : 'complete'
}

/** "15 data points are missing, 6 of them at Auburn Boulevard." */
export function summarize({ missing, facilities }: DuePoints): string {
  const [worst] = facilities.toSorted((one, other) => other.missing - one.missing)
  if (missing === 0 || worst === undefined) return 'No data points are missing so far.'
  const where =
    worst.missing === missing ? `all at ${worst.name}` : `${worst.missing} of them at ${worst.name}`
  if (missing === 1) return `1 data point is missing, at ${worst.name}.`
  return `${count(missing, 'data point is', 'data points are')} missing, ${where}.`
}
