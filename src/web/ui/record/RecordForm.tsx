import { Button, Group } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import type { KeptText } from './kept-typing.ts'
import type { RecordFormState } from './use-record-form.ts'

type Props<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  /** Another action on the record is running, such as a removal. */
  isBusy?: boolean
  className?: string
  children: ReactNode
}

/**
 * The form element around the fields of `useRecordForm`: Enter and Ctrl+S save, and errors without a field are
 * shown on top.
 */
export function RecordForm<Values, Saved>(props: Props<Values, Saved>) {
  const { record, isBusy = false, className = 'fc-form', children } = props
  const submit = () => {
    if (!isBusy) record.submit()
  }
  const saveIfShown = () => {
    // A form in a tab that isn't shown is still in the page.
    if (document.getElementById(record.id)?.checkVisibility() === true) submit()
  }
  useHotkeys([['mod+S', saveIfShown]], [])
  return (
    <form
      id={record.id}
      className={className}
      noValidate
      data-read-only={record.isReadOnly || undefined}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {record.alert !== null && (
        <p className="fc-form-alert" role="alert">
          {record.alert}
        </p>
      )}
      <KeptNotice kept={record.kept} margin="16px 24px 0" />
      {children}
    </form>
  )
}

type KeptProps = { kept: KeptText; margin?: string }

/** Offers what was typed here before. */
export function KeptNotice({ kept: { offer, decide }, margin = '8px 0' }: KeptProps) {
  if (offer === null) return null
  const when = formatAgo(new Date(offer.at).toISOString())
  return (
    <Group component="output" gap="sm" m={margin} px="md" py="sm" fz="sm" bg="var(--fc-warn-tint)">
      <span className="fc-grow">You typed something here {when} that wasn&rsquo;t saved.</span>
      <Button size="compact-sm" variant="default" onClick={() => decide('use')}>
        Put it back
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => decide('discard')}>
        Discard
      </Button>
    </Group>
  )
}
