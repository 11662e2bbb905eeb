import { IconForms, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Form, FORM_LIST, forms } from '#contract/marketing/forms/forms.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, FormBlock, WIDTHS } from './form-columns.tsx'
import './forms-page.css'

const route = getRouteApi('/shell/dvp/forms')

const NewFormDrawer = lazy(async () => ({ default: (await import('./NewFormDrawer.tsx')).NewFormDrawer }))

/** The forms of the customer. One opens on its own page. */
export function FormsPage() {
  const search = route.useSearch()
  const { onShow, open, close } = useListRoute('drawer')
  const add = (
    <Action
      for={forms.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      New form
    </Action>
  )
  return (
    <>
      <ListPage
        list={FORM_LIST}
        endpoint={forms.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searches="Name, address"
        actions={add}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconForms size={18} />}
            title="No forms yet"
            text="Forms collect requests from visitors to your public pages, such as test drives. What they send appears under Submissions."
          >
            {add}
          </EmptyState>
        }
      />
      {search.drawer === 'new' && (
        <Suspense>
          <NewFormDrawer onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(form: Form) {
  return <FormBlock form={form} />
}
