import { IconChevronRight } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { carbonOpenItems, type OpenItemCounts } from '#contract/carbon/results/open-items.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { tonnes } from '../../activity/insight-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './needs.css'

/** The list of all facilities has the others. */
const MAX_FACILITIES = 3

/** The open items of an inventory, each with a link to exactly these rows. Biogenic CO2 comes last, for information. */
export function AttentionCard({ totals: { inventory, total } }: { totals: Totals }) {
  const load = useLoad(query(carbonOpenItems.counts, { inventoryId: inventory.id }))
  return (
    <section className="fc-insights-card" aria-labelledby="insights-needs">
      <header>
        <h2 id="insights-needs">Needs attention</h2>
      </header>
      <Loaded query={load} what="the open items" shape="spinner">
        {(counts) => (
          <ul className="fc-insights-needs">
            <OpenItems counts={counts} />
            <li>
              <span>
                <Status tone="mute" mark="wait">
                  Biogenic CO2, outside scopes: {tonnes(total.biogenic)} t
                </Status>
              </span>
            </li>
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function OpenItems({ counts }: { counts: OpenItemCounts }) {
  const { withoutResult, missing, estimated, unusual, submitted } = counts
  const facilities = missing.facilities.slice(0, MAX_FACILITIES)
  const isClear = [withoutResult, missing, estimated, submitted].every((one) => one.count === 0)
  return (
    <>
      {withoutResult.count > 0 && (
        <Item url={withoutResult.url} tone="bad" mark="alert">
          {count(withoutResult.count, 'row', 'rows')} without a result
        </Item>
      )}
      {facilities.map(({ facilityId, name, count: points, url }) => (
        <Item key={facilityId} url={url} tone="warn" mark="alert">
          <bdi>{`${name}: ${count(points, 'data point', 'data points')} missing`}</bdi>
        </Item>
      ))}
      {missing.facilities.length > MAX_FACILITIES && (
        <Item url={missing.url} tone="warn" mark="alert">
          {`All facilities: ${count(missing.count, 'data point', 'data points')} missing`}
        </Item>
      )}
      {estimated.count > 0 && (
        <Item url={estimated.url} tone="warn" mark="half">
          {count(estimated.count, 'data point', 'data points')} estimated, bill pending
        </Item>
      )}
      {unusual.count > 0 && (
        <Item url={unusual.url} tone="warn" mark="alert">
          {count(unusual.count, 'flagged record', 'flagged records')} in review
        </Item>
      )}
      {submitted.count > 0 && (
        <Item url={submitted.url} tone="info" mark="quarter">
          {count(submitted.count, 'record', 'records')} to review
        </Item>
      )}
      {isClear && (
        <li>
          <span>
            <Status tone="good" mark="check">
              No open items
            </Status>
          </span>
        </li>
      )}
    </>
  )
}

type ItemProps = Pick<ComponentProps<typeof Status>, 'tone' | 'mark' | 'children'> & { url: string | null }

/** An item that opens its rows, for users who can see them. */
function Item({ url, ...status }: ItemProps) {
  return (
    <li>
      {url === null ? (
        <span>
          <Status {...status} />
        </span>
      ) : (
        <Link to={url}>
          <Status {...status} />
          <IconChevronRight size={14} className="fc-flip" aria-hidden="true" />
        </Link>
      )}
    </li>
  )
}
