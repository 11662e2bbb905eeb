import { IconPlus, IconWorld } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { WHITE_LABEL_LIST } from '#contract/identity/branding/white-label-list.ts'
import { type DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, DomainBlock, WIDTHS } from './white-label-columns.tsx'
import './white-labels.css'

const route = getRouteApi('/shell/administration/domain-white-label')

const WhiteLabelDrawer = lazy(async () => ({
  default: (await import('./WhiteLabelDrawer.tsx')).WhiteLabelDrawer,
}))

/** The customer's domains and branding; the open one is in a drawer with its own URL. */
export function WhiteLabelsPage() {
  const search = route.useSearch()
  const { domain } = search
  const { onShow, open, close, onCreated } = useListRoute('domain')
  const add = (
    <Action
      for={whiteLabels.save}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add domain
    </Action>
  )
  return (
    <>
      <ListPage
        list={WHITE_LABEL_LIST}
        endpoint={whiteLabels.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.domain}
        selectedId={domain}
        searches="Domain, title"
        actions={add}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconWorld size={18} />}
            title="No domains yet"
            text="Let your users open Forecourt on your own domain, with your logo, title and color."
          >
            {add}
          </EmptyState>
        }
      />
      {domain !== undefined && (
        <Suspense>
          <WhiteLabelDrawer key={domain} id={domain} onClose={close} onCreated={onCreated} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(label: DomainWhiteLabel) {
  return <DomainBlock label={label} />
}
