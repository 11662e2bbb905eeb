import type { ReactNode } from 'react'
import type { CarbonGroup, LeftOut, SummedInventory } from '#contract/carbon/results/group.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { atLeast, importedOf, type Method, tonnes } from '../../activity/insight-labels.ts'
import { InventoryStatus } from '#web/carbon/inventories/InventoryStatus.tsx'
import { periodOf } from '#web/carbon/inventories/inventory-labels.ts'
import styles from './Group.module.css'
import { Link } from '#web/ui/controls/Link.tsx'

/** Both totals with coverage, the scopes, and which inventories are included and which aren't. */
export function GroupView({ group }: { group: CarbonGroup }) {
  const { summed, left, notes, scopes } = group
  return (
    <div className={styles.parts}>
      <Totals group={group} />
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>
              <bdi>{note}</bdi>
            </li>
          ))}
        </ul>
      )}
      {scopes.length > 0 && (
        <Card title="By scope">
          <thead>
            <tr>
              <th scope="col">Scope</th>
              <th scope="col">Location-based</th>
              <th scope="col">Market-based</th>
            </tr>
          </thead>
          <tbody>
            {scopes.map(({ key, title, location, market }) => (
              <tr key={key}>
                <th scope="row">{title}</th>
                <td>{tonnes(location)}</td>
                <td>{tonnes(market)}</td>
              </tr>
            ))}
          </tbody>
        </Card>
      )}
      {summed.length > 0 && (
        <Card title="Included inventories">
          <thead>
            <tr>
              <th scope="col">Inventory</th>
              <th scope="col">Location-based</th>
              <th scope="col">Market-based</th>
              <th scope="col">Coverage</th>
            </tr>
          </thead>
          <tbody>
            {summed.map((one) => (
              <Summed key={one.id} inventory={one} />
            ))}
          </tbody>
        </Card>
      )}
      {left.length > 0 && <NotSummed left={left} />}
    </div>
  )
}

function Totals({ group: { total, organizations, organizationsSummed, summed } }: { group: CarbonGroup }) {
  if (summed.length === 0)
    return (
      <p className={styles.none}>
        <Status tone="warn" mark="alert">
          No total
        </Status>{' '}
        None of your {organizations.toLocaleString()} organizations has an approved inventory for this year
        and consolidation approach.
      </p>
    )
  const share = total.expected === 0 ? 0 : (total.there / total.expected) * 100
  return (
    <section className="fc-insights-strip" aria-label="Totals">
      {(['location', 'market'] as const).map((method) => (
        <div key={method}>
          <span>Total, {method}-based</span>
          <b>
            <bdi>{atLeast(total, method)}</bdi>
          </b>
          <span>t CO2e{total.missing > 0 && `, ${total.missing.toLocaleString()} without a result`}</span>
        </div>
      ))}
      {Number(total.imported) !== 0 && (
        <div>
          <span>Including imported totals</span>
          <b>{tonnes(total.imported)}</b>
          <span>t CO2e as reported, not counted as coverage</span>
        </div>
      )}
      <div>
        <span>Coverage</span>
        <b>
          {total.there.toLocaleString()} of {total.expected.toLocaleString()}
        </b>
        <span className="fc-insights-share" aria-hidden="true">
          <span style={{ inlineSize: `${share}%` }} />
        </span>
        <span>expected data points</span>
      </div>
      <div>
        <span>Organizations</span>
        <b>
          {organizationsSummed.toLocaleString()} of {organizations.toLocaleString()}
        </b>
        <span>included in the total</span>
      </div>
    </section>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="fc-insights-card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span className="fc-grow fc-small fc-faint">t CO2e</span>
      </header>
      <section
        className="fc-insights-table"
        aria-label={`${title}, table`}
        // Focusable, so that a table wider than the page can be scrolled with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <table>{children}</table>
      </section>
    </section>
  )
}

function Summed({ inventory }: { inventory: SummedInventory }) {
  const { id, organizationName, name, status, figures, gwpSet, isHere } = inventory
  return (
    <tr>
      <th scope="row">
        {isHere ? (
          <Link to="/carbon/insights" search={{ inventory: id }} className="fc-name">
            <bdi>
              {organizationName}: {name}
            </bdi>
          </Link>
        ) : (
          <bdi className="fc-name">
            {organizationName}: {name}
          </bdi>
        )}
        <span className="fc-second">
          <bdi>
            {periodOf(inventory)}, {gwpSet}
          </bdi>
        </span>
        <InventoryStatus status={status} />
        {!isHere && <span className="fc-second">Switch to this organization to open it.</span>}
      </th>
      <Figure figures={figures} method="location" />
      <Figure figures={figures} method="market" />
      <td>
        {figures.there.toLocaleString()} of {figures.expected.toLocaleString()}
      </td>
    </tr>
  )
}

function Figure({ figures, method }: { figures: SummedInventory['figures']; method: Method }) {
  const imported = importedOf(figures, method)
  return (
    <td>
      <bdi>{atLeast(figures, method)}</bdi>
      {imported !== null && <span className="fc-second">{imported}</span>}
    </td>
  )
}

const WHY: Readonly<Record<LeftOut['why'], string>> = {
  open: 'Not approved',
  restated: 'Restated',
  boundary: 'Other boundary',
  missing: 'Missing',
}

function NotSummed({ left }: { left: readonly LeftOut[] }) {
  return (
    <section className="fc-insights-card" aria-labelledby="group-left">
      <header>
        <h2 id="group-left">Not included</h2>
      </header>
      <ul className="fc-insights-categories">
        {left.map(({ organizationId, organizationName, inventoryId, name, why, sentence, isHere }) => (
          <li key={`${organizationId} ${inventoryId ?? ''}`}>
            <span>
              {inventoryId !== null && isHere ? (
                <Link to="/carbon/start" search={{ inventory: inventoryId }} className="fc-name">
                  <bdi>
                    {organizationName}: {name}
                  </bdi>
                </Link>
              ) : (
                <bdi className="fc-name">
                  {name === null ? organizationName : `${organizationName}: ${name}`}
                </bdi>
              )}
              <span className="fc-second">
                <bdi>{sentence}</bdi>
              </span>
            </span>
            <Status tone={why === 'restated' ? 'mute' : 'warn'} mark={why === 'restated' ? 'dash' : 'alert'}>
              {WHY[why]}
            </Status>
          </li>
        ))}
      </ul>
    </section>
  )
}
