import { Button, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { KeptTexts } from '#web/ui/feedback/KeptHere.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { useSaveHotkey } from '#web/ui/form/save-hotkey.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { focusChanged } from './focus-form.ts'
import type { KeptTyping } from '#web/session/kept-forms.ts'
import type { KeptText } from './kept-typing.ts'
import { showValue } from './show-record-value.ts'
import type { RecordFormState } from './use-record-form.ts'

type Props<Values, Saved> = {
  record: RecordFormState<Values, Saved>
  /** Another action on the record is running, such as a removal. */
  isBusy?: boolean
  /** It closes when it is saved, and no form of the saved record takes what is typed meanwhile. */
  isClosing?: boolean
  className?: string
  children: ReactNode
}

/**
 * The form element around the fields of `useRecordForm`: Enter and Ctrl+S save, and errors without a field are
 * shown on top.
 */
export function RecordForm<Values, Saved>(props: Props<Values, Saved>) {
  const { record, isBusy = false, isClosing = false, className = 'fc-form', children } = props
  const submit = () => {
    if (!isBusy) record.submit()
  }
  useSaveHotkey(() => document.getElementById(record.id), submit)
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
        <p className="fc-form-alert" role="alert" ref={showAlert}>
          {record.alert}
        </p>
      )}
      {record.isReadOnly ? (
        <KeptTexts kept={record.kept.offer === null ? [] : [record.kept.offer]} />
      ) : (
        <KeptNotice kept={record.kept} labels={record.labels} margin="16px 24px 0" />
      )}
      {isClosing ? <Locked isBusy={record.isSaving}>{children}</Locked> : children}
    </form>
  )
}

/** The form may be scrolled to its end, where its button is. */
const showAlert = (alert: HTMLElement | null) => alert?.scrollIntoView({ block: 'nearest' })

type KeptProps = {
  kept: KeptText
  /** Of its fields. Fields without one aren't named. */
  labels?: Readonly<Record<string, string>>
  margin?: string
}

/** Offers what was typed here before. */
export function KeptNotice({ kept: { offer, replaced, decide }, labels = {}, margin = '8px 0' }: KeptProps) {
  if (offer === null) return null
  return (
    <Group component="output" gap="sm" m={margin} px="md" py="sm" fz="sm" bg="var(--fc-warn-tint)">
      <span className="fc-grow" style={READABLE}>
        <bdi>
          {[describeKept(offer, labels), describeReplaced(replaced, labels)].filter(Boolean).join(' ')}
        </bdi>
      </span>
      <Button
        size="compact-sm"
        variant="default"
        onClick={(event) => {
          focusChanged(event)
          decide('use')
        }}
      >
        Put it back
      </Button>
      <Button size="compact-sm" variant="default" onClick={() => decide('discard')}>
        Discard
      </Button>
    </Group>
  )
}

/** Narrower, the buttons are below the text. */
const READABLE = { flexBasis: 220 }
const MOST_FIELDS = 5

/** "You typed something here 5 min. ago that wasn't saved: City, Phone." */
export function describeKept(
  { at, values }: Pick<KeptTyping, 'at' | 'values'>,
  labels: Readonly<Record<string, string>>,
): string {
  const names = Object.keys(labels).flatMap((name) => (name in values ? (labels[name] ?? []) : []))
  const shown = names.length > MOST_FIELDS ? names.slice(0, MOST_FIELDS - 1) : names
  const others = names.length - shown.length
  const list = others > 0 ? [...shown, `${others} other fields`] : shown
  const what = list.length === 0 ? '' : `: ${list.join(', ')}`
  return `You typed something here ${formatAgo(new Date(at).toISOString())} that wasn’t saved${what}.`
}

/** "Changed by someone since then: City (Lakeport). Putting yours back replaces it." Empty if there is nothing to replace. */
export function describeReplaced(
  replaced: Readonly<Record<string, unknown>>,
  labels: Readonly<Record<string, string>>,
): string {
  const names = Object.keys(labels).filter((name) => name in replaced)
  if (names.length === 0) return ''
  const list = names.map((name) => {
    const value = replaced[name]
    return typeof value === 'object' && value !== null
      ? labels[name]
      : `${labels[name]} (${showValue(value)})`
  })
  return `Changed by someone since then: ${list.join(', ')}. Putting yours back replaces that.`
}
