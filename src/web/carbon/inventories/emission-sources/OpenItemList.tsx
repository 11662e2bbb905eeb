import { Box, Button, Group } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { carbonOpenItems, type OpenItem, type OpenItemKind } from '#contract/carbon/results/open-items.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { query } from '#web/api/query.ts'
import { formatPeriod } from '#web/carbon/activity/records/activity-labels.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/carbon/emission')

const TITLES: Readonly<Record<OpenItemKind, readonly [one: string, many: string]>> = {
  missing: ['data point missing', 'data points missing'],
  estimated: ['data point estimated, bill pending', 'data points estimated, bill pending'],
  unanswered: ['requested source without an answer', 'requested sources without an answer'],
}

type Props = { inventoryId: string; kind: OpenItemKind; facilityId: string | undefined }

/** The rows behind a figure about an inventory: what is missing, estimated or not answered, each with a link to its source. */
export function OpenItemList({ inventoryId, kind, facilityId }: Props) {
  const navigate = route.useNavigate()
  const load = useLoad(
    query(carbonOpenItems.list, { inventoryId, kind, ...(facilityId !== undefined && { facilityId }) }),
  )
  return (
    <Box component="section" aria-label="Open items" px="var(--fc-gutter)" py="sm">
      <Loaded query={load} what="the open items" shape="spinner">
        {({ results, filteredRows }) => {
          const items = results ?? []
          return (
            <>
              <Group justify="space-between" wrap="nowrap" mb="xs">
                <h2>{count(filteredRows, ...TITLES[kind])}</h2>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() =>
                    void navigate({
                      search: (before) => ({ ...before, show: undefined, facility: undefined }),
                      ignoreBlocker: true,
                    })
                  }
                >
                  Close list
                </Button>
              </Group>
              {items.length === 0 && <p className="fc-soft">Nothing is open here.</p>}
              <Box mah="40vh" style={{ overflowY: 'auto' }}>
                {items.map((item) => (
                  <Row key={`${item.sourceId} ${item.from}`} item={item} />
                ))}
              </Box>
              {filteredRows > items.length && (
                <p className="fc-soft">
                  {`The first ${items.length.toLocaleString()} of ${filteredRows.toLocaleString()}.`}
                </p>
              )}
            </>
          )
        }}
      </Loaded>
    </Box>
  )
}

function Row({ item }: { item: OpenItem }) {
  const title = `${sourceTitle(item)}, ${item.facilityName}: ${detailOf(item)}`
  return (
    <Group justify="space-between" align="baseline" gap="sm" wrap="nowrap" mih={28} fz="sm">
      <bdi>{title}</bdi>
      <Box flex="none">
        <Link
          from="/carbon/emission"
          to="/carbon/emission"
          search={(before) => ({ ...before, tab: 'activity', source: item.sourceId })}
          ignoreBlocker
          className="fc-link"
          aria-label={`Enter data: ${title}`}
        >
          Enter data
        </Link>
      </Box>
    </Group>
  )
}

/** "Nov 2026", or who was asked. */
function detailOf({ from, to, dataOwnerName }: OpenItem): string {
  if (from === null || to === null) return `asked ${dataOwnerName ?? 'the data owner'}`
  return formatPeriod(from, to)
}
