import { Button } from '@mantine/core'
import { IconBooks } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import type { Builder } from '#web/questions/builder/use-builder.ts'

const BankDialog = lazy(async () => ({ default: (await import('./BankDialog.tsx')).BankDialog }))

/** Opens the questions of other questionnaires, to use one again. */
export function BankButton({ builder }: { builder: Builder }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        leftSection={<IconBooks size={16} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        Question bank
      </Button>
      {isOpen && (
        <Suspense>
          <BankDialog builder={builder} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
