import { Button, Menu } from '@mantine/core'
import { IconBuildingStore, IconCheck, IconChevronDown } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { leads } from '#contract/leads/inbox/leads.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'

/** The stores whose leads the user sees, with their open leads. */
export function useLeadStores() {
  const { data = [] } = useQuery({
    ...live(query(leads.stores, {}), 'queue'),
    placeholderData: keepPreviousData,
  })
  return data
}

/** The name of the stores that the queue shows; null for users with one store. */
export function useStoreName(store: string): string | null {
  const stores = useLeadStores()
  if (stores.length < 2) return null
  return store === '' ? 'All stores' : (stores.find(({ lotId }) => lotId === store)?.name ?? 'Another store')
}

/** Narrows the queues to one store, for users with several. */
export function StoreMenu({ store }: { store: string }) {
  const stores = useLeadStores()
  const name = useStoreName(store)
  const navigate = useNavigate({ from: '/customers/leads' })
  // With those that have no store yet.
  const { data: all } = useQuery(live(query(leads.counts, {}), 'queue'))
  if (name === null) return null
  const choose = (next: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, store: next, lead: undefined }) })
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          maw={220}
          aria-label={`Store: ${name}`}
          leftSection={<IconBuildingStore size={14} aria-hidden="true" />}
          rightSection={<IconChevronDown size={14} aria-hidden="true" />}
        >
          <bdi>{name}</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="60dvh" style={{ overflowY: 'auto' }}>
        <StoreItem
          name="All stores"
          open={all?.open.count ?? 0}
          late={all?.late.count ?? 0}
          isCurrent={store === ''}
          onClick={() => choose(undefined)}
        />
        <Menu.Divider />
        {stores.map(({ lotId, ...one }) => (
          <StoreItem key={lotId} {...one} isCurrent={store === lotId} onClick={() => choose(lotId)} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

type ItemProps = { name: string; open: number; late: number; isCurrent: boolean; onClick: () => void }

function StoreItem({ name, open, late, isCurrent, onClick }: ItemProps) {
  return (
    <Menu.Item
      onClick={onClick}
      aria-current={isCurrent ? 'true' : undefined}
      rightSection={isCurrent && <IconCheck size={14} aria-hidden="true" />}
    >
      <bdi>{name}</bdi>
      <span className="fc-second">{`${open.toLocaleString()} open${late === 0 ? '' : `, ${late.toLocaleString()} late`}`}</span>
    </Menu.Item>
  )
}
