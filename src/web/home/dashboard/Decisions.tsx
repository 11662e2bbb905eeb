import { Button } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import type { Decision } from '#contract/home/dashboard.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './decisions.css'

/** Two rows of three; the others are one click away. */
const MOST_SHOWN = 6
const MARKS = { bad: 'alert', warn: 'alert', info: 'half' } as const

/** What needs a decision, most urgent first. Each tile opens the list of exactly these rows. */
export function Decisions({ decisions }: { decisions: readonly Decision[] }) {
  const [isWhole, setWhole] = useState(false)
  if (decisions.length === 0) return null
  const shown = isWhole ? decisions : decisions.slice(0, MOST_SHOWN)
  return (
    <section aria-label="Needs attention">
      <ul className="fc-decisions">
        {shown.map((one) => (
          <li key={one.id}>
            <Link to={one.url} className="fc-decision">
              <Status tone={one.tone} mark={MARKS[one.tone]}>
                <span className="fc-decision-title">
                  <b>{one.count === null ? 'Many' : one.count.toLocaleString()}</b> {one.noun}
                </span>
              </Status>
              <span className="fc-decision-why fc-cut">
                <bdi>{describe(one)}</bdi>
              </span>
              <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
            </Link>
          </li>
        ))}
      </ul>
      {decisions.length > MOST_SHOWN && (
        <Button variant="subtle" size="compact-sm" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show ${decisions.length - MOST_SHOWN} more`}
        </Button>
      )}
    </section>
  )
}

/** "Northgate Ford 2 · Northgate Toyota 1". A single group that has all rows needs no number. */
export function describe({ count, groups }: Pick<Decision, 'count' | 'groups'>): string {
  if (count === null) return 'Too many to count here. Open the list.'
  const named = groups.reduce((sum, group) => sum + group.count, 0)
  const [first] = groups
  if (groups.length === 1 && first !== undefined && named === count)
    return capitalize(first.label ?? 'Without a name')
  const parts = groups.map(
    ({ label, count: rows }) => `${label ?? 'without a name'} ${rows.toLocaleString()}`,
  )
  const rest = count - named
  return capitalize([...parts, ...(rest > 0 ? [`${rest.toLocaleString()} more`] : [])].join(' · '))
}

const capitalize = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1)
