import { Stack, Table } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type ImportedList, importedLists } from '#contract/marketing/campaigns/imported-lists.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { CampaignsTabs } from './CampaignsTabs.tsx'
import '@mantine/core/styles/Table.layer.css'
import '#web/ui/list/lists.css'

const route = getRouteApi('/shell/dvp/campaigns/imported-lists')
const ImportListDrawer = lazy(async () => ({
  default: (await import('./ImportListDrawer.tsx')).ImportListDrawer,
}))
const ImportedListDrawer = lazy(async () => ({
  default: (await import('./ImportedListDrawer.tsx')).ImportedListDrawer,
}))

/** The lists of people that users uploaded for campaigns. One opens in a drawer with its own URL. */
export function ImportedListsPage() {
  const { list } = route.useSearch()
  const { open, close, onCreated } = useListRoute('list')
  const add = (
    <Action
      for={importedLists.add}
      onClick={() => open('new')}
      leftSection={<IconUpload size={16} aria-hidden="true" />}
    >
      Import list
    </Action>
  )
  return (
    <div className="fc-list">
      <PageHeader
        title="DVP campaigns"
        context="People from files, with what proves that they agreed to offers"
      >
        {add}
      </PageHeader>
      <CampaignsTabs current="Imported lists" />
      <Stack px="var(--fc-gutter)" py={16}>
        <Loaded query={query(importedLists.list, {})} what="the imported lists" shape="spinner">
          {(lists) =>
            lists.length === 0 ? (
              <EmptyState
                tone="brand"
                icon={<IconUpload size={18} />}
                title="No imported lists yet"
                text="Upload people who agreed to offers by email. Those with a source and date of consent can be mailed; others are asked first."
              >
                {add}
              </EmptyState>
            ) : (
              <Lists lists={lists} />
            )
          }
        </Loaded>
      </Stack>
      <Suspense>
        {list === 'new' && <ImportListDrawer onClose={close} onAdded={onCreated} />}
        {list !== undefined && list !== 'new' && <ImportedListDrawer key={list} id={list} onClose={close} />}
      </Suspense>
    </div>
  )
}

function Lists({ lists }: { lists: readonly ImportedList[] }) {
  return (
    <section style={SCROLLS} aria-label="Imported lists" {...REACHED_BY_KEYS}>
      <Table fz={13}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">List</Table.Th>
            {FIGURES.map(({ title, isWide }) => (
              <Table.Th key={title} ta="end" scope="col" {...(isWide && { visibleFrom: 'sm' })}>
                {title}
              </Table.Th>
            ))}
            <Table.Th ta="end" scope="col" visibleFrom="sm">
              Imported
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lists.map((list) => (
            <Table.Tr key={list.id}>
              <Table.Th scope="row" fw={500}>
                <MayOpen for={importedLists.get}>
                  <Link to="/dvp/campaigns/imported-lists" search={{ list: list.id }} className="fc-name">
                    <bdi>{list.name}</bdi>
                  </Link>
                </MayOpen>
                <span className="fc-second">
                  <bdi>{list.lotName}</bdi>
                </span>
                {list.state !== 'ready' && <Status {...UNDER_WAY[list.state]} />}
              </Table.Th>
              {FIGURES.map(({ key, isWide }) => (
                <Table.Td key={key} ta="end" className="fc-number" {...(isWide && { visibleFrom: 'sm' })}>
                  {list[key].toLocaleString()}
                </Table.Td>
              ))}
              <Table.Td ta="end" visibleFrom="sm">
                {formatMoment(list.createdAt)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}

const UNDER_WAY = {
  importing: { tone: 'info', mark: 'half', children: 'Importing' },
  stopped: { tone: 'warn', mark: 'alert', children: 'Import stopped' },
} as const

/** Wide screens have room for all of them. */
const FIGURES = [
  { key: 'people', title: 'People', isWide: false },
  { key: 'proven', title: 'With proof', isWide: false },
  { key: 'confirmed', title: 'Confirmed', isWide: true },
  { key: 'canAsk', title: 'Not asked', isWide: false },
] as const

/** What scrolls must be reachable by keyboard. */
const SCROLLS = { overflowX: 'auto' } as const
const REACHED_BY_KEYS = { tabIndex: 0 } as const
