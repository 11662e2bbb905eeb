import { Button } from '@mantine/core'
import { IconPhotoPlus, IconSearchOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { files } from '#contract/files/files.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { nounOf, type Offer, type FileRequest } from './picker-listing.ts'

type Props = {
  offer: Offer
  wanted: FileRequest
  search: string
  failure: CallFailure | null
  isPending: boolean
  onRetry: () => void
  onClear: () => void
  /** The files to choose from. */
  children: ReactNode
}

const WAITING = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** The open folder in each of its states. */
export function PickerContents({
  offer,
  wanted,
  search,
  failure,
  isPending,
  onRetry,
  onClear,
  children,
}: Props) {
  if (failure) {
    return (
      <FailureState failure={failure} endpoint={files.getChildren} what="this folder" onRetry={onRetry} />
    )
  }
  if (isPending) {
    return (
      <div aria-busy="true">
        <output className="fc-hidden">Loading the folder</output>
        <div className="fc-tiles" aria-hidden="true">
          {WAITING.map((tile) => (
            <span key={tile} className="fc-tile fc-tile-file">
              <span className="fc-thumb" />
              <span className="fc-skeleton" />
            </span>
          ))}
        </div>
      </div>
    )
  }
  const { shown, total, hidden } = offer
  const many = nounOf({ ...wanted, isMany: true }, 0)
  const others =
    hidden > 0 && `${count(hidden, 'file of another type is', 'files of other types are')} hidden.`
  if (total === 0) {
    return (
      <EmptyState
        tone="brand"
        icon={<IconPhotoPlus size={18} />}
        title={hidden > 0 ? `No ${many} in this folder` : 'This folder is empty'}
        text={`Click Upload to add files.${others === false ? '' : ` ${others}`}`}
      />
    )
  }
  if (shown.nodes.length + shown.leafs.length === 0) {
    return (
      <EmptyState
        icon={<IconSearchOff size={18} />}
        title={`No results for “${search}”`}
        text={`This folder has ${count(total, 'item', 'items')}.`}
      >
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      </EmptyState>
    )
  }
  return (
    <>
      {children}
      {others !== false && <p className="fc-small fc-faint">{others}</p>}
    </>
  )
}
