import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type FileLeaf, files } from '#contract/files/files.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import type { FileRequest } from './offer.ts'

/** Comes with its first opening. */
const FilePicker = lazy(async () => ({ default: (await import('./FilePicker.tsx')).FilePicker }))

type Props = FileRequest & {
  /** Begins with what is seen of the button. */
  label?: string
  disabled?: boolean
  onChoose: (files: readonly FileLeaf[]) => void
  children?: ReactNode
}

/** The button that opens the picker. Who may not see the media reads so there. */
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
