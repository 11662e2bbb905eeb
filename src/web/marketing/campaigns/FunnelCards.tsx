import { Table, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CampaignFunnel } from '#contract/marketing/campaigns/funnel.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import '@mantine/core/styles/Table.layer.css'

/** The frame of each part of the funnel. */
export const CARD = {
  padding: 16,
  border: '1px solid var(--fc-line)',
  borderRadius: 8,
  minInlineSize: 0,
} as const

/** The leads of each lot. */
export function LotCard({ rows }: { rows: CampaignFunnel['byLot'] }) {
  return (
    <Card title="By lot" empty={rows.length === 0 && 'No leads yet.'}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Lot</Table.Th>
            <Figure isHead>Clicks</Figure>
            <Figure isHead>Leads</Figure>
            <Figure isHead>Sold</Figure>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ lot, clicks, leads, sold }) => (
            <Table.Tr key={lot}>
              <Table.Th scope="row" fw={500}>
                <bdi>{lot}</bdi>
              </Table.Th>
              <Figure>{clicks.toLocaleString()}</Figure>
              <Figure>{leads.toLocaleString()}</Figure>
              <Figure>{sold.toLocaleString()}</Figure>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

/** What each vehicle of the email brought, with the total price that the email said. */
export function VehicleCard({ rows, currency }: { rows: CampaignFunnel['byVehicle']; currency: string }) {
  const money = new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  return (
    <Card title="By vehicle" isWide empty={rows.length === 0 && 'The email shows no vehicles.'}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Vehicle</Table.Th>
            <Figure isHead>Clicks</Figure>
            <Figure isHead>Leads</Figure>
            <Figure isHead>Total price</Figure>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ id, title, clicks, leads, totalCents, isForSale }) => (
            <Table.Tr key={id}>
              <Table.Th scope="row" fw={500}>
                <bdi>{title}</bdi>
              </Table.Th>
              <Figure>{clicks.toLocaleString()}</Figure>
              <Figure>{leads.toLocaleString()}</Figure>
              <Figure>
                {!isForSale ? (
                  <Status tone="mute" mark="check">
                    Not for sale
                  </Status>
                ) : (
                  totalCents !== null && money.format(totalCents / 100)
                )}
              </Figure>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

/** How clicks of programs were told from those of people. */
export function EvidenceCard({ rows }: { rows: CampaignFunnel['evidence'] }) {
  return (
    <Card title="How we tell" empty={rows.length === 0 && 'No clicks of programs.'}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Evidence</Table.Th>
            <Figure isHead>Clicks</Figure>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ what, count }) => (
            <Table.Tr key={what}>
              <Table.Th scope="row" fw={500}>
                <bdi>{what}</bdi>
              </Table.Th>
              <Figure>{count.toLocaleString()}</Figure>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  )
}

/** A narrow column of figures, so that names have the room that is left. */
function Figure({ isHead = false, children }: { isHead?: boolean; children: ReactNode }) {
  const cell = { ta: 'end', px: 6, style: NARROW } as const
  if (isHead)
    return (
      <Table.Th scope="col" {...cell}>
        {children}
      </Table.Th>
    )
  return <Table.Td {...cell}>{children}</Table.Td>
}

/** Beside each other; vehicles have longer names. */
const SLIM = { ...CARD, minInlineSize: 'min-content', flex: '1 1 210px' } as const
const WIDE = { ...CARD, flex: '2 1 370px' } as const
const NARROW = { inlineSize: 1, whiteSpace: 'nowrap' } as const

type CardProps = { title: string; empty: string | false; isWide?: boolean; children: ReactNode }

function Card({ title, empty, isWide = false, children }: CardProps) {
  return (
    <section style={isWide ? WIDE : SLIM} aria-label={title}>
      <Title order={2} fz={15} fw={600} mb={8}>
        {title}
      </Title>
      {empty === false ? (
        children
      ) : (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
    </section>
  )
}
