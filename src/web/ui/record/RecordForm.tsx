import { useHotkeys } from '@mantine/hooks'
import type { ReactNode } from 'react'
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
      {children}
    </form>
  )
}
