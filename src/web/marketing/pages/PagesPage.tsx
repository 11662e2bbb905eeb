import { IconBrowser, IconPlus, IconTrash } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { PAGE_LIST, type PromoPage, promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import type { BulkAction } from '#web/ui/list/selection/bulk-action.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { ask } from '#web/ui/overlay/dialogs.tsx'
import { PageBlock, pageCells, pageWidths } from './page-columns.tsx'

const route = getRouteApi('/shell/administration/promo-pages')
const NewPageDrawer = lazy(async () => ({ default: (await import('./NewPageDrawer.tsx')).NewPageDrawer }))
const removePages = send(promoPages.removeMany)

const BULK: readonly BulkAction[] = [
  {
    id: 'delete',
    label: 'Delete',
    icon: <IconTrash size={16} stroke={1.6} aria-hidden="true" />,
    endpoint: promoPages.removeMany,
    tone: 'bad',
    ask: (_selection, chosen) =>
      ask({
        title: `Delete ${count(chosen, 'promo page', 'promo pages')}?`,
        text: 'They disappear from the site, also for printed short URLs. You can undo this.',
        confirm: `Delete ${count(chosen, 'promo page', 'promo pages')}`,
        isDestructive: true,
      }),
    start: (selection, _count, seen) => removePages({ selection, ...seen }),
  },
]

/** The promo pages of the customer. One opens on its own page. */
export function PagesPage() {
  const search = route.useSearch()
  const { onShow, open, close } = useListRoute('drawer')
  const add = (
    <Action
      for={promoPages.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      New promo page
    </Action>
  )
  return (
    <>
      <ListPage
        list={PAGE_LIST}
        endpoint={promoPages.list}
        search={search}
        onShow={onShow}
        cells={pageCells}
        widths={pageWidths}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searches="Name, address, title"
        actions={add}
        bulk={BULK}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconBrowser size={18} />}
            title="No promo pages yet"
            text="Promo pages are pages of your public site, made of blocks: a hero, vehicles with their total prices, a form, opening hours."
          >
            {add}
          </EmptyState>
        }
      />
      {search.drawer === 'new' && (
        <Suspense>
          <NewPageDrawer onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(page: PromoPage) {
  return <PageBlock page={page} />
}
