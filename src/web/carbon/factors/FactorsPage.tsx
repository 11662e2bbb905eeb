import { Button } from '@mantine/core'
import { IconFileImport, IconLeaf, IconPlus, IconSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import { factorEditions } from '#contract/carbon/factors/factor-editions.ts'
import { FACTOR_LIST } from '#contract/carbon/factors/factor-list.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { CELLS, FactorBlock, WIDTHS } from './factor-columns.tsx'
import { FactorNotes } from './FactorNotes.tsx'
import './factors.css'

const route = getRouteApi('/shell/carbon/factors')

const FactorDrawer = lazy(async () => ({ default: (await import('./FactorDrawer.tsx')).FactorDrawer }))
const EditionDrawer = lazy(async () => ({ default: (await import('./EditionDrawer.tsx')).EditionDrawer }))
const FindDrawer = lazy(async () => ({ default: (await import('./FindDrawer.tsx')).FindDrawer }))

const NO_PREFILL = { region: undefined, activity: undefined, unit: undefined, scope: undefined }

/** Library and custom emission factors. Details, factor search and edition import open in a drawer. */
export function FactorsPage() {
  const search = route.useSearch()
  const { factor, region, activity, unit, scope, drawer } = search
  const navigate = route.useNavigate()
  type Open = { factor?: string | undefined; drawer?: 'edit' | 'find' | 'import' | undefined }
  const open = ({ factor: id, drawer: kind }: Open, { isSaved = false } = {}) =>
    void navigate({
      search: (before) => ({ ...before, ...NO_PREFILL, factor: id, drawer: kind }),
      ignoreBlocker: isSaved,
    })
  const add = (
    <Action
      for={factors.add}
      onClick={() => open({ factor: 'new' })}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add factor
    </Action>
  )
  return (
    <>
      <ListPage
        list={FACTOR_LIST}
        endpoint={factors.list}
        search={search}
        onShow={(change, { replaces }) =>
          void navigate({ search: (before) => ({ ...before, ...change }), replace: replaces })
        }
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        selectedId={factor}
        searches="Name, category, region, publisher"
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconSearch size={16} aria-hidden="true" />}
              onClick={() => open({ drawer: 'find' })}
            >
              Find factor
            </Button>
            <Action
              for={factorEditions.add}
              variant="default"
              leftSection={<IconFileImport size={16} aria-hidden="true" />}
              onClick={() => open({ drawer: 'import' })}
            >
              Import edition
            </Action>
            {add}
          </>
        }
        note={showNotes}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconLeaf size={18} />}
            title="No emission factors"
            text="An emission factor is the amount emitted per unit of activity. Use the built-in library, or add custom factors."
          >
            {add}
          </EmptyState>
        }
      />
      <Suspense>
        {factor !== undefined && drawer !== 'find' && drawer !== 'import' && (
          <FactorDrawer
            key={[factor, region, activity, unit, scope].join(' ')}
            id={factor}
            isFor={{ region, activity, unit, scope }}
            isEditing={drawer === 'edit'}
            onEdit={() => open({ factor, drawer: 'edit' })}
            onClose={(isSaved) => open({}, { isSaved })}
            onShow={(id) => open({ factor: id }, { isSaved: true })}
          />
        )}
        {drawer === 'find' && <FindDrawer onClose={() => open({})} />}
        {drawer === 'import' && <EditionDrawer onClose={(isSaved) => open({}, { isSaved })} />}
      </Suspense>
    </>
  )
}

function showBlock(factor: FactorRow) {
  return <FactorBlock factor={factor} />
}

function showNotes() {
  return <FactorNotes />
}
