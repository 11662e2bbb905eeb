import { useForm, type UseFormReturnType } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useHolds } from '#web/session/use-session.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { requestedBy } from '#web/ui/controls/permission-of.ts'
import { useUnsavedGuard } from '#web/ui/form/unsaved.ts'
import { findDifferences, type Labels } from './differences.ts'
import { placeErrors } from '../form/place-errors.ts'

/** What a record carries so that a stale form can say who changed it and when. */
export type Versioned = { version: number; updatedAt?: string; updatedBy?: string | null }

type Options<Values, Saved> = {
  /** The record as it was loaded; null for a new one. */
  record: Saved | null
  /** What the form of a new record holds. */
  blank: Values
  toValues: (record: Saved) => Values
  /** In the order of the form. */
  labels: Labels<Values>
  /** Reads the record that a 409 brings along. */
  schema: z.ZodType<Saved>
  /** What `save` calls: whoever may not call it reads and changes nothing. */
  endpoint: Endpoint
  /** The record itself may not be changed, whatever the caller may do elsewhere. */
  isLocked?: boolean
  /** A sentence for each path that is wrong, as `fieldSentences` writes them. */
  check: (values: Values) => Record<string, string>
  /** `version` is the loaded one, or the one that is to be overwritten. */
  save: (values: Values, version: number | undefined) => Promise<Saved>
  /** The form counts as clean by now: toast, navigate, forget lists. */
  onSaved: (saved: Saved) => void | Promise<void>
  /** Puts a record in place of the loaded one: what was saved, or what somebody else saved meanwhile. */
  keep: (record: Saved) => void
}

export type RecordFormState<Values, Saved> = {
  form: UseFormReturnType<Values>
  /** Of the form's element: a button outside of it saves with `form={record.id}`. */
  id: string
  /** Label, value and error of a field, as Mantine's inputs take them. */
  field: (name: keyof Values & string) => ReturnType<UseFormReturnType<Values>['getInputProps']> & {
    label: string
    readOnly: boolean
  }
  /** Sets fields by name, several at once or those that are no plain inputs (a list, a matrix). */
  change: (changes: Readonly<Record<string, unknown>>) => void
  labels: Labels<Values>
  /** The names of the fields that differ from what was loaded. */
  changed: string[]
  isReadOnly: boolean
  isSaving: boolean
  /** A refusal that belongs to no field. */
  alert: string | null
  submit: () => void
  /** Puts back what was loaded. */
  discard: () => void
  /** Counts how often that happened: what was remembered about the values before is void. */
  generation: number
  /** Lets the person go without a question, after something else (a removal) was done. */
  release: () => void
  /** What somebody else saved, when this form was too late; `StaleDialog` settles it. */
  stale: { mine: Values; theirs: Values; current: Saved } | null
  settle: (how: 'close' | 'reload' | 'overwrite') => void
}

/**
 * The form of one record: values, the contract's check (errors after the first try, then live), the server's
 * refusals on their fields with the focus on the first, one save at a time, the guard of unsaved changes, and what
 * is to be done when somebody else was faster. Stands in a `LoadedRecord`, so that a saved or reloaded record begins a
 * new form and nothing else does:
 *
 *     const record = useRecordForm({ record: lot, blank, toValues, labels, schema: Lot, endpoint, check, save, ... })
 *     <RecordForm record={record}>
 *       <TextInput {...record.field('name')} required />
 *       <FormFooter record={record} for={lots.update} save="Save lot" onCancel={close} />
 *       <StaleDialog record={record} thing="this lot" />
 *     </RecordForm>
 */
export function useRecordForm<Values extends Record<string, unknown>, Saved extends Versioned>(
  options: Options<Values, Saved>,
): RecordFormState<Values, Saved> {
  const { record, blank, toValues, labels, schema, endpoint, check, keep } = options
  const [initial] = useState(() => (record ? toValues(record) : blank))
  const [isTried, setIsTried] = useState(false)
  const [alert, setAlert] = useState<string | null>(null)
  const [newer, setNewer] = useState<Saved | null>(null)
  const [generation, setGeneration] = useState(0)
  // Two ways to save may hear the same key before React draws the first one's doing.
  const isUnderWay = useRef(false)
  const id = useId()
  const form = useForm<Values>({
    initialValues: initial,
    // A new function each time: Mantine notices only by it that fields are checked while typing from now on.
    validate: (values) => placeErrors(check(values), values).fields,
    validateInputOnChange: isTried,
  })
  const holds = useHolds()
  const wanted = requestedBy(endpoint.allow)
  const isMissing = wanted.length > 0 && !wanted.some((permission) => holds(permission) === true)
  const isReadOnly = options.isLocked === true || isMissing
  const changed = findDifferences(labels, form.values, initial)
  const { release } = useUnsavedGuard(changed.length > 0)

  const save = useMutation({
    mutationFn: (version: number | undefined) => options.save(form.values, version),
    onSuccess: (saved) => {
      release()
      keep(saved)
      return options.onSaved(saved)
    },
    onError: refuse,
    onSettled: () => {
      isUnderWay.current = false
    },
  })

  function send(version: number | undefined) {
    if (isUnderWay.current) return
    isUnderWay.current = true
    save.mutate(version)
  }

  function refuse(failure: CallFailure) {
    const theirs = schema.safeParse(failure.current)
    if (failure.status === 409 && theirs.success) return setNewer(theirs.data)
    return Object.keys(failure.fields).length > 0 ? complain(failure.fields) : showError(failure)
  }

  function complain(sentences: Readonly<Record<string, string>>) {
    const { fields, rest } = placeErrors(sentences, form.values)
    form.setErrors(fields)
    setAlert(rest[0] ?? null)
    // After React has drawn the errors: the person starts at the first one.
    requestAnimationFrame(() =>
      document.getElementById(id)?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]')?.focus(),
    )
  }

  function submit() {
    setIsTried(true)
    setAlert(null)
    if (isUnderWay.current || isReadOnly) return
    const wrong = check(form.values)
    if (Object.keys(wrong).length > 0) return complain(wrong)
    send(record?.version)
  }

  function settle(how: 'close' | 'reload' | 'overwrite') {
    setNewer(null)
    if (!newer || how === 'close') return
    if (how === 'overwrite') return send(newer.version)
    release()
    keep(newer)
  }

  return {
    form,
    id,
    field: (name) => ({ label: labels[name], readOnly: isReadOnly, ...form.getInputProps(name) }),
    change: (changes) => {
      const values = { ...form.values, ...changes }
      form.setValues(values)
      if (isTried) form.setErrors(placeErrors(check(values), values).fields)
    },
    labels,
    changed,
    isReadOnly,
    isSaving: save.isPending,
    alert,
    submit,
    discard: () => {
      form.setValues(initial)
      form.clearErrors()
      setIsTried(false)
      setAlert(null)
      setGeneration(generation + 1)
    },
    generation,
    release,
    stale: newer && { mine: form.values, theirs: toValues(newer), current: newer },
    settle,
  }
}
