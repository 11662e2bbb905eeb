import { Group, Text } from '@mantine/core'
import type { Visits } from '#contract/marketing/visits.ts'
import '@mantine/core/styles/Group.layer.css'

type Props = { visits: Pick<Visits, 'total' | 'leads'>; noun: 'clicks' | 'visits' }

/** The clicks or visits of 30 days by who made them, and the leads that came of them. */
export function VisitFigures({ visits: { total, leads }, noun }: Props) {
  const { people, suspects, bots } = total
  const all = people + suspects + bots
  const share = (clicks: number) => (all === 0 ? '' : `${Math.round((clicks / all) * 100)}% of all ${noun}`)
  const figures = [
    [`Human ${noun}`, people, 'last 30 days'],
    ['Suspected bots', suspects, share(suspects)],
    ['Bots', bots, share(bots)],
    ['Leads', leads, people === 0 ? '' : `${((leads / people) * 100).toFixed(1)}% of human ${noun}`],
  ] as const
  return (
    <Group component="dl" m={0} gap={16} align="start" grow>
      {figures.map(([title, clicks, note]) => (
        <div key={title}>
          <Text component="dt" size="sm" c="dimmed">
            {title}
          </Text>
          <Text component="dd" m={0} fz={22} fw={600} className="fc-number">
            {clicks.toLocaleString()}
          </Text>
          <Text component="dd" m={0} size="xs" c="dimmed">
            {note}
          </Text>
        </div>
      ))}
    </Group>
  )
}
