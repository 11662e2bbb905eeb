import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { carbonOpenItems, type OpenItem, type OpenItemKind } from '#contract/carbon/results/open-items.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { query } from '#web/api/query.ts'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'

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
    <Card withBorder padding="sm" mb="sm" component="section" aria-label="Open items">
      <Loaded query={load} what="the open items" shape="spinner">
        {({ results, filteredRows }) => (
          <Stack gap="xs">
            <Group justify="space-between">
              <Title order={2} size="sm">
                {count(filteredRows, ...TITLES[kind])}
              </Title>
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
            {filteredRows === 0 && (
              <Text size="sm" c="dimmed">
                Nothing is open here.
              </Text>
            )}
            {(results ?? []).map((item) => (
              <Row key={`${item.sourceId} ${item.from}`} item={item} />
            ))}
            {filteredRows > (results ?? []).length && (
              <Text size="sm" c="dimmed">
                {`The first ${(results ?? []).length.toLocaleString()} of ${filteredRows.toLocaleString()}.`}
              </Text>
            )}
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

function Row({ item }: { item: OpenItem }) {
  return (
    <Group justify="space-between" gap="xs">
      <Text size="sm">
        <bdi>
          {sourceTitle(item)}, {item.facilityName}: {detailOf(item)}
        </bdi>
      </Text>
      <Link
        from="/carbon/emission"
        to="/carbon/emission"
        search={(before) => ({ ...before, tab: 'activity', source: item.sourceId })}
        ignoreBlocker
        className="fc-link"
      >
        Enter data
      </Link>
    </Group>
  )
}

/** "Nov 1 to Nov 30", or who was asked. A day has no time zone. */
function detailOf({ from, to, dataOwnerName }: OpenItem): string {
  if (from === null || to === null) return `asked ${dataOwnerName ?? 'the data owner'}`
  return `${formatDay(`${from}T00:00`)} to ${formatDay(`${to}T00:00`)}`
}
