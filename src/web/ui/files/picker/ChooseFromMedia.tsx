import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type FileLeaf, files } from '#contract/files/files.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import type { FileRequest } from './picker-listing.ts'

/** Loaded when it is first opened. */
const FilePicker = lazy(async () => ({ default: (await import('./FilePicker.tsx')).FilePicker }))

type Props = FileRequest & {
  /** Starts with the visible text of the button. */
  label?: string
  disabled?: boolean
  onChoose: (files: readonly FileLeaf[]) => void
  children?: ReactNode
}

/** The button that opens the picker. Without access to media, it explains why. */
export function ChooseFromMedia({ label, disabled = false, onChoose, children, ...wanted }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Action
        for={files.getChildren}
        size="compact-sm"
        variant="default"
        disabled={disabled}
        onClick={() => setIsOpen(true)}
        {...(label !== undefined && { 'aria-label': label })}
      >
        {children ?? 'Choose from media'}
      </Action>
      {isOpen && (
        <Suspense>
          <FilePicker
            {...wanted}
            onChoose={(chosen) => {
              setIsOpen(false)
              onChoose(chosen)
            }}
            onClose={() => setIsOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
