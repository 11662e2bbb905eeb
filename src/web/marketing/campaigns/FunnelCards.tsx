import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { CampaignFunnel } from '#contract/marketing/campaigns/funnel.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import styles from './FunnelTab.module.css'

/** The leads of each lot. */
export function LotCard({ rows }: { rows: CampaignFunnel['byLot'] }) {
  return (
    <Card title="By lot" empty={rows.length === 0 && 'No leads yet.'}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">Lot</th>
            <th scope="col">Leads</th>
            <th scope="col">Delivered</th>
            <th scope="col">Sold</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ lot, leads, delivered, sold }) => (
            <tr key={lot}>
              <th scope="row">
                <bdi>{lot}</bdi>
              </th>
              <td>{leads.toLocaleString()}</td>
              <td>{delivered.toLocaleString()}</td>
              <td>{sold.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
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
    <Card title="By vehicle" empty={rows.length === 0 && 'The email shows no vehicles.'}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">Vehicle</th>
            <th scope="col">Clicks</th>
            <th scope="col">Leads</th>
            <th scope="col">Total price</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, title, clicks, leads, totalCents, isForSale }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{title}</bdi>
              </th>
              <td>{clicks.toLocaleString()}</td>
              <td>{leads.toLocaleString()}</td>
              <td>
                {!isForSale ? (
                  <Status tone="mute" mark="check">
                    Not for sale
                  </Status>
                ) : (
                  totalCents !== null && money.format(totalCents / 100)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

/** How clicks of programs were told from those of people. */
export function EvidenceCard({ rows }: { rows: CampaignFunnel['evidence'] }) {
  return (
    <Card title="How we tell" empty={rows.length === 0 && 'No clicks of programs.'}>
      <table className={styles.figures}>
        <thead>
          <tr>
            <th scope="col">Evidence</th>
            <th scope="col">Clicks</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ what, count }) => (
            <tr key={what}>
              <th scope="row">
                <bdi>{what}</bdi>
              </th>
              <td>{count.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

function Card({ title, empty, children }: { title: string; empty: string | false; children: ReactNode }) {
  return (
    <section className={styles.card} aria-label={title}>
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
