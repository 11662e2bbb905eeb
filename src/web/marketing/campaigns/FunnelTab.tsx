import '@mantine/core/styles/Flex.layer.css'
import { Box, Button, Flex, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { type Campaign, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { type CampaignFunnel, FUNNEL_STEPS, type FunnelStep } from '#contract/marketing/campaigns/funnel.ts'
import { labelOf } from '#contract/record.ts'
import { saveFile } from '#web/api/download.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { CARD, EvidenceCard, LotCard, VehicleCard } from './FunnelCards.tsx'
import '@mantine/core/styles/Table.layer.css'

const WHO = { all: 'All, split', people: 'Humans only' } as const
const COLORS = {
  people: 'var(--fc-brand-fill)',
  suspects: 'var(--fc-warn)',
  bots: 'var(--fc-ink-faint)',
} as const
const KINDS = [
  { kind: 'people', title: 'human' },
  { kind: 'suspects', title: 'suspected bot' },
  { kind: 'bots', title: 'bot' },
] as const

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  minimumFractionDigits: 1,
})

/** What a campaign led to, step by step, and by lot and vehicle. */
export function FunnelTab({ campaign }: { campaign: Campaign }) {
  const funnel = live(query(campaigns.funnel, { id: campaign.id }), {
    while: () => campaign.state === 'sending',
  })
  return (
    <Loaded query={funnel} what="the funnel" shape="spinner">
      {(data) => <Funnel campaign={campaign} funnel={data} />}
    </Loaded>
  )
}

function Funnel({ campaign, funnel }: { campaign: Campaign; funnel: CampaignFunnel }) {
  const [who, setWho] = useState<keyof typeof WHO>('all')
  return (
    <Stack px="var(--fc-gutter)" py={16} gap={16}>
      <Stack component="section" style={CARD} aria-label="Funnel" gap={8}>
        <Group justify="space-between" gap={8}>
          <Group gap={8} align="baseline">
            <Title order={2} fz={15} fw={600}>
              Funnel
            </Title>
            <Text size="xs" c="dimmed">
              rates count humans only
              {funnel.previous !== null && <bdi>, compared with {funnel.previous.name}</bdi>}
            </Text>
          </Group>
          <Group gap={16}>
            <Legend />
            <Toggle label="Who is shown" choices={WHO} value={who} onChange={setWho} />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconDownload size={14} aria-hidden="true" />}
              onClick={() => saveFile(funnelFile(campaign, funnel))}
            >
              Export
            </Button>
          </Group>
        </Group>
        <Text size="sm">
          <bdi>{describe(campaign, funnel)}</bdi>
        </Text>
        <Steps funnel={funnel} isSplit={who === 'all'} code={campaign.code} />
      </Stack>
      <Flex gap={16} wrap="wrap">
        <LotCard rows={funnel.byLot} />
        <VehicleCard rows={funnel.byVehicle} currency={funnel.currency} />
        <EvidenceCard rows={funnel.evidence} />
      </Flex>
    </Stack>
  )
}

function Legend() {
  return (
    <Group component="ul" gap={12} m={0} p={0} fz={12} style={{ listStyle: 'none' }}>
      {KINDS.map(({ kind, title }) => (
        <Flex component="li" key={kind} align="center" gap={5}>
          <Box component="span" w={9} h={9} bdrs={2} bg={COLORS[kind]} aria-hidden="true" />
          {title}
        </Flex>
      ))}
    </Group>
  )
}

const sumOf = ({ people, suspects, bots }: FunnelStep): number => people + suspects + bots

type StepsProps = { funnel: CampaignFunnel; isSplit: boolean; code: string }

function Steps({ funnel: { steps, previous }, isSplit, code }: StepsProps) {
  const most = Math.max(1, ...steps.map((step) => (isSplit ? sumOf(step) : step.people)))
  const sent = steps[0]?.people ?? 0
  return (
    <section style={SCROLLS} aria-label="Steps" {...REACHED_BY_KEYS}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Step</Table.Th>
            <Table.Th scope="col" visibleFrom="sm" w="36%">
              People
            </Table.Th>
            <Table.Th ta="end" scope="col">
              Human
            </Table.Th>
            {isSplit && (
              <Table.Th ta="end" scope="col">
                Suspected
              </Table.Th>
            )}
            {isSplit && (
              <Table.Th ta="end" scope="col">
                Bot
              </Table.Th>
            )}
            <Table.Th ta="end" scope="col">
              Of step before
            </Table.Th>
            <Table.Th ta="end" scope="col">
              Of sent
            </Table.Th>
            {previous !== null && (
              <Table.Th ta="end" scope="col">
                <span title={previous.name}>vs last</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {steps.map((step, at) => (
            <Table.Tr key={step.step}>
              <Table.Th scope="row" fw={500}>
                <bdi>{labelOf(FUNNEL_STEPS, step.step)}</bdi>
                {step.note !== '' && (
                  <span className="fc-second">
                    <bdi>{step.note}</bdi>
                  </span>
                )}
              </Table.Th>
              <Table.Td visibleFrom="sm">
                <Bar step={step} most={most} isSplit={isSplit} />
              </Table.Td>
              <Table.Td ta="end">
                <StepCount step={step} code={code} />
              </Table.Td>
              {isSplit && <Table.Td ta="end">{dash(step.suspects)}</Table.Td>}
              {isSplit && <Table.Td ta="end">{dash(step.bots)}</Table.Td>}
              <Table.Td ta="end">{at === 0 ? '' : share(step.people, steps[at - 1]?.people ?? 0)}</Table.Td>
              <Table.Td ta="end">{at === 0 ? '' : share(step.people, sent)}</Table.Td>
              {previous !== null && <Table.Td ta="end">{differenceTo(previous.steps, step, sent)}</Table.Td>}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

const dash = (number: number): string => (number === 0 ? '–' : number.toLocaleString())
const share = (part: number, all: number): string => (all === 0 ? '–' : percent.format(part / all))

const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero', maximumFractionDigits: 1 })

const difference = (number: number): string => signed.format(number).replace('-', '\u2212')

/** Of emails, how many more; of a later step, by how many points its share of the sent ones differs. */
function differenceTo(
  before: NonNullable<CampaignFunnel['previous']>['steps'],
  { step, people }: FunnelStep,
  sent: number,
): string {
  const [former, formerSent] = [before.find((one) => one.step === step)?.people ?? 0, before[0]?.people ?? 0]
  if (step === 'sent') return difference(people - former)
  if (sent === 0 || formerSent === 0) return '–'
  return `${difference((people / sent - former / formerSent) * 100)} pts`
}

/** Leads open in the list of leads. */
function StepCount({ step: { step, people }, code }: { step: FunnelStep; code: string }) {
  if (step !== 'lead' || people === 0) return <strong>{people.toLocaleString()}</strong>
  return (
    <Link
      to="/customers/leads"
      search={{ queue: 'all', filter: `utmCampaign == "${code}"` }}
      className="fc-link"
    >
      {people.toLocaleString()}
      <span className="fc-hidden"> leads of this campaign</span>
    </Link>
  )
}

function Bar({ step, most, isSplit }: { step: FunnelStep; most: number; isSplit: boolean }) {
  return (
    <Flex gap={1} miw={120} aria-hidden="true">
      {KINDS.filter(({ kind }) => isSplit || kind === 'people').map(({ kind }) =>
        step[kind] === 0 ? null : (
          <Box
            component="span"
            key={kind}
            h={14}
            miw={3}
            bdrs={2}
            w={`${(step[kind] / most) * 100}%`}
            bg={COLORS[kind]}
          />
        ),
      )}
    </Flex>
  )
}

function describe({ state }: Campaign, { steps, notSent, inDoubt, unsubscribed }: CampaignFunnel): string {
  const of = (name: FunnelStep['step']) => steps.find(({ step }) => step === name)
  const [clicks, leads] = [of('clicked'), of('lead')]
  const all = clicks === undefined ? 0 : sumOf(clicks)
  const parts: string[] = []
  if (notSent > 0 && (of('sent')?.people ?? 0) === 0)
    return `Nothing was sent: ${count(notSent, 'email stays', 'emails stay')} in the outbox, because no mail server sends them.`
  if (clicks !== undefined && leads !== undefined)
    parts.push(
      `${count(leads.people, 'lead', 'leads')} from ${count(clicks.people, 'human click', 'human clicks')}.`,
    )
  if (clicks !== undefined && all > clicks.people)
    parts.push(
      `${percent.format((all - clicks.people) / all)} of all who clicked are bots or suspected bots.`,
    )
  if (unsubscribed > 0) parts.push(`${unsubscribed.toLocaleString()} unsubscribed.`)
  if (inDoubt > 0)
    parts.push(
      `${count(inDoubt, 'email is', 'emails are')} in doubt: sending was interrupted, and they aren't repeated.`,
    )
  if (state === 'sending') parts.push('Still sending.')
  return parts.join(' ')
}

/** Text that a spreadsheet opens. */
function funnelFile({ name, code }: Campaign, { steps, byLot, byVehicle }: CampaignFunnel): File {
  const cell = (value: string | number): string =>
    `"${String(value)
      .replaceAll('"', '""')
      .replace(/^([=+@-])/, "'$1")}"`
  const rows = [
    ['Step', 'Human', 'Suspected bot', 'Bot', 'Note'],
    ...steps.map((step) => [
      labelOf(FUNNEL_STEPS, step.step),
      step.people,
      step.suspects,
      step.bots,
      step.note,
    ]),
    [],
    ['Lot', 'Clicks', 'Leads', 'Delivered', 'Sold'],
    ...byLot.map(({ lot, clicks, leads, delivered, sold }) => [lot, clicks, leads, delivered, sold]),
    [],
    ['Vehicle', 'Clicks', 'Leads'],
    ...byVehicle.map(({ title, clicks, leads }) => [title, clicks, leads]),
  ]
  const text = rows.map((row) => row.map(cell).join(',')).join('\r\n')
  return new File([`\uFEFF${cell(name)}\r\n${text}\r\n`], `funnel-${code}.csv`, { type: 'text/csv' })
}

/** What scrolls must be reachable by keyboard. */
const SCROLLS = { overflowX: 'auto' } as const
const REACHED_BY_KEYS = { tabIndex: 0 } as const
