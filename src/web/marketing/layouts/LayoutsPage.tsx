import { IconLayoutRows } from '@tabler/icons-react'
import { lazy } from 'react'
import { dvpLayouts, LAYOUT_LIST, type Layout } from '#contract/marketing/layouts/layouts.ts'
import { blockTitle } from '#contract/marketing/pages/blocks.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'

const LayoutDrawer = lazy(async () => ({ default: (await import('./LayoutDrawer.tsx')).LayoutDrawer }))

/** The layouts of the customer; one opens in a drawer with its own URL. */
export function LayoutsPage() {
  return (
    <RecordList
      list={LAYOUT_LIST}
      calls={dvpLayouts}
      param="layout"
      Drawer={LayoutDrawer}
      roles={ROLES}
      second={describe}
      searches="Name, note"
      removeText="You can undo this."
      icon={<IconLayoutRows size={18} />}
      purpose="A layout decides which blocks a promo page may have, and puts locked ones on each of its pages, such as a disclaimer."
    />
  )
}

const ROLES = { line: ['note'] } as const

function describe({ allowed, isOrdered, top, bottom }: Layout): string {
  const locked = top.length + bottom.length
  const order = isOrdered ? ' in this order' : ''
  const types = allowed.length === 0 ? 'All blocks' : `${allowed.map(blockTitle).join(', ')}${order}`
  return locked === 0 ? types : `${types} · ${count(locked, 'locked block', 'locked blocks')}`
}
