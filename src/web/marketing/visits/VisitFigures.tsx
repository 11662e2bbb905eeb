import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { Visits } from '#contract/marketing/visits.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** `filter`: of the list of leads, which has exactly these. */
type Leads = Visits['leads'] | Readonly<{ count: number; filter: string }> | null
type Props = { visits: Pick<Visits, 'total'> & { leads: Leads }; noun: 'clicks' | 'visits' }

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumSignificantDigits: 2 })
const percentOf = (part: number, all: number): string => percent.format(part / all)

/** The clicks or visits of 30 days by who made them, and the leads that came of them. */
export function VisitFigures({ visits: { total, leads }, noun }: Props) {
  const { people, suspects, bots } = total
  const all = people + suspects + bots
  const share = (clicks: number) => (all === 0 ? '' : `${percentOf(clicks, all)} of all ${noun}`)
  const figures = [
    [`Human ${noun}`, people, 'last 30 days'],
    ['Suspected bots', suspects, share(suspects)],
    ['Bots', bots, share(bots)],
  ] as const
  const brought = typeof leads === 'object' ? leads?.count : leads
  const filter = typeof leads === 'object' ? leads?.filter : undefined
  return (
    <Group component="dl" m={0} gap={16} align="start" grow preventGrowOverflow={false}>
      {figures.map(([title, clicks, note]) => (
        <Figure key={title} title={title} note={note}>
          {clicks.toLocaleString()}
        </Figure>
      ))}
      {brought !== undefined && (
        <Figure title="Leads" note={people === 0 ? '' : `${percentOf(brought, people)} of human ${noun}`}>
          {filter === undefined || brought === 0 ? (
            brought.toLocaleString()
          ) : (
            <Link to="/customers/leads" search={{ queue: 'all', filter }} className="fc-link">
              {brought.toLocaleString()}
              <span className="fc-hidden"> leads in the last 30 days</span>
            </Link>
          )}
        </Figure>
      )}
    </Group>
  )
}

function Figure({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {title}
      </Text>
      <Text component="dd" m={0} fz={22} fw={600} className="fc-number">
        {children}
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed">
        {note}
      </Text>
    </div>
  )
}
