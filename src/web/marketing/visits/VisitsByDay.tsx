import { Box, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useState } from 'react'
import type { Visits } from '#contract/marketing/visits.ts'
import { CHART_OR_TABLE, Toggle } from '#web/ui/controls/Toggle.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import '@mantine/core/styles/Table.layer.css'

const HEIGHT = 120
const KINDS = [
  { kind: 'people', title: 'People', color: 'var(--fc-brand-fill)' },
  { kind: 'suspects', title: 'Suspected bots', color: 'var(--fc-warn)' },
  { kind: 'bots', title: 'Bots', color: 'var(--fc-ink-faint)' },
] as const

type Nouns = readonly [one: string, many: string]
type Props = {
  visits: Pick<Visits, 'days' | 'total'>
  /** "Clicks by day". */
  title: string
  nouns: Nouns
  /** The level of its heading. */
  level: 2 | 3
}

/** The clicks or visits of each day as stacked bars or a table, with what stands out in words. */
export function VisitsByDay({ visits: { days, total }, title, nouns, level }: Props) {
  const [form, setForm] = useState<keyof typeof CHART_OR_TABLE>('chart')
  const isEmpty = total.people + total.suspects + total.bots === 0
  return (
    <Stack gap={8} component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={level} size="h5">
          {title}
        </Title>
        {!isEmpty && (
          <Toggle label={`${title}: show as`} choices={CHART_OR_TABLE} value={form} onChange={setForm} />
        )}
      </Group>
      <Text size="sm">
        <bdi>{describeDays(days, nouns)}</bdi>
      </Text>
      {!isEmpty && (form === 'chart' ? <Chart days={days} nouns={nouns} /> : <DayTable days={days} />)}
    </Stack>
  )
}

type Days = Visits['days']
const sumOf = ({ people, suspects, bots }: Days[number]): number => people + suspects + bots

/** What stands out: the best day, and a day on which bots were more than people. */
function describeDays(days: Days, nouns: Nouns): string {
  const [best] = days.toSorted((one, other) => other.people - one.people)
  const [worst] = days.toSorted((one, other) => other.bots - one.bots)
  const parts: string[] = []
  if (best !== undefined && best.people > 0)
    parts.push(`${formatDay(best.day)}: ${count(best.people, ...nouns)} by people, the most in a day.`)
  if (worst !== undefined && worst.bots > worst.people)
    parts.push(`${formatDay(worst.day)}: ${count(worst.bots, ...nouns)} by bots, probably a scanner.`)
  if (parts.length > 0) return parts.join(' ')
  return days.some((day) => sumOf(day) > 0)
    ? `No ${nouns[1]} by people yet.`
    : `No ${nouns[1]} in the last 30 days.`
}

function Chart({ days, nouns }: { days: Days; nouns: Nouns }) {
  const most = Math.max(1, ...days.map(sumOf))
  const width = 100 / Math.max(1, days.length)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <Box
      component="figure"
      m={0}
      aria-label={`Bars of ${count(days.length, 'day', 'days')}, at most ${count(most, ...nouns)} in a day. The table has the numbers.`}
    >
      <svg
        viewBox={`0 0 100 ${HEIGHT}`}
        preserveAspectRatio="none"
        width="100%"
        className="fc-flip"
        height={HEIGHT}
        aria-hidden="true"
      >
        {days.map((day, at) => {
          let top = HEIGHT
          return KINDS.map(({ kind, color }) => {
            const height = (day[kind] / most) * HEIGHT
            top -= height
            return height === 0 ? null : (
              <rect
                key={kind}
                x={(at + 0.1) * width}
                width={width * 0.8}
                y={top}
                height={height}
                fill={color}
              />
            )
          })
        })}
      </svg>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {first && formatDay(first.day)}
        </Text>
        <Text size="xs" c="dimmed">
          {last && formatDay(last.day)}
        </Text>
      </Group>
      <Group gap={16} component="ul" p={0} m={0}>
        {KINDS.map(({ kind, title, color }) => (
          <Text key={kind} component="li" size="xs" display="flex" style={{ gap: 4 }}>
            <svg width="14" height="14" aria-hidden="true">
              <rect width="10" height="10" y="2" fill={color} />
            </svg>
            {title}
          </Text>
        ))}
      </Group>
    </Box>
  )
}

function DayTable({ days }: { days: Days }) {
  const shown = days.filter((day) => sumOf(day) > 0).toReversed()
  return (
    <Table>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">Day</Table.Th>
          {KINDS.map(({ kind, title }) => (
            <Table.Th key={kind} scope="col" ta="end">
              {title}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {shown.map((day) => (
          <Table.Tr key={day.day}>
            <Table.Th scope="row">{formatDay(day.day)}</Table.Th>
            {KINDS.map(({ kind }) => (
              <Table.Td key={kind} ta="end" className="fc-number">
                {day[kind].toLocaleString()}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
