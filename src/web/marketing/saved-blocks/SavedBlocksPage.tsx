import { IconBlocks } from '@tabler/icons-react'
import { lazy } from 'react'
import {
  SAVED_BLOCKS_LIST,
  savedBlocks,
  type SavedBlocks,
} from '#contract/marketing/saved-blocks/saved-blocks.ts'
import { RecordList } from '#web/ui/list/RecordList.tsx'
import { nameBlock } from '../pages/describe-page-changes.ts'

const SavedBlocksDrawer = lazy(async () => ({
  default: (await import('./SavedBlocksDrawer.tsx')).SavedBlocksDrawer,
}))

/** The blocks that were saved for reuse; one opens in a drawer with its own URL. */
export function SavedBlocksPage() {
  return (
    <RecordList
      list={SAVED_BLOCKS_LIST}
      calls={savedBlocks}
      param="saved"
      Drawer={SavedBlocksDrawer}
      roles={ROLES}
      second={describe}
      searches="Name"
      removeText="Pages and layouts keep the copies they have. You can undo this."
      icon={<IconBlocks size={18} />}
      purpose="Saved blocks are copied into promo pages and layouts, such as the terms or the team of a store."
    />
  )
}

const ROLES = { line: ['updatedBy'] } as const
const describe = ({ blocks }: SavedBlocks) => blocks.map(nameBlock).join(', ')
