import { Group, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type UnknownKey, shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'
import '@mantine/core/styles/Table.layer.css'

/** A notice above the list with keys that visitors opened although no short URL has them. Hidden if there are none. */
export function UnknownKeys() {
  const { data = [] } = useQuery(query(shortUrls.unknownKeys, {}))
  if (data.length === 0) return null
  const clicks = data.reduce((sum, one) => sum + one.clicks, 0)
  return (
    <Group
      component="section"
      gap={12}
      align="baseline"
      mx="var(--fc-gutter)"
      mb={8}
      aria-label="Unknown keys"
    >
      <Status tone="warn" mark="alert">
        {count(data.length, 'unknown key was', 'unknown keys were')} opened {count(clicks, 'time', 'times')}
      </Status>
      <button type="button" className="fc-link" onClick={() => showKeys(data)}>
        Show
      </button>
    </Group>
  )
}

function showKeys(keys: readonly UnknownKey[]): void {
  showNotice('Unknown keys', <KeyTable keys={keys} />)
}

function KeyTable({ keys }: { keys: readonly UnknownKey[] }) {
  return (
    <>
      <p>
        Visitors opened these keys, but no short URL has them: they may be misprinted, mistyped or deleted.
        Add a short URL with the key to make it work.
      </p>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">Key</Table.Th>
            <Table.Th scope="col" ta="end">
              Opened
            </Table.Th>
            <Table.Th scope="col">Last</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {keys.map(({ key, clicks, lastAt }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">
                <bdi dir="ltr">{key}</bdi>
              </Table.Th>
              <Table.Td ta="end" className="fc-number">
                {clicks.toLocaleString()}
              </Table.Td>
              <Table.Td>{formatDay(lastAt)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  )
}
