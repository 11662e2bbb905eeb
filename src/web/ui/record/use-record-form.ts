import { useForm, type UseFormReturnType } from '@mantine/form'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { useHolds } from '#web/session/use-session.ts'
import { describeFailure } from '#web/ui/overlay/dialogs.tsx'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { hasTypedSince, turnTo } from '../overlay/typing.ts'
import { findDifferences, type Labels } from './differences.ts'
import {
  readFocus,
  restoreFocus,
  restoreFocusSoon,
  saySavedMeanwhile,
  takeCarried,
  useCarrying,
} from './carry-typing.ts'
import { type KeptText, useKeptGuard, versionsOf } from './kept-typing.ts'
import { mergeChanges, type Versions, type Winner } from './merge-changes.ts'
import type { Conflict } from '../form/ConflictNotice.tsx'
import { placeErrors } from '../form/place-errors.ts'
import { hasUnread, mayLeaveUnread } from '../form/unread-numbers.ts'
import { withTypedSpaces } from './typed-spaces.ts'

/** The part of a record that lets a stale form show who changed it and when. */
export type Versioned = { version: number; updatedAt?: string | null; updatedBy?: string | null }

/** These fields of a form wait for someone's decision instead of being saved: the form goes on without what was entered in them. */
export type SentForApproval = Readonly<{ sentForApproval: readonly string[] }>

const isSent = (result: object): result is SentForApproval => 'sentForApproval' in result

type Options<Values, Saved> = {
  /** The loaded record; null for a new one. */
  record: Saved | null
  /** The initial values for a new record. */
  blank: Values
  toValues: (record: Saved) => Values
  /** In form order. */
  labels: Labels<Values>
  /** Parses the record that a 409 includes. */
  schema: z.ZodType<Saved>
  /** The endpoint that `save` calls. Without its permission the form is read-only. */
  endpoint: Endpoint
  /** The record itself can't be changed, regardless of the user's permissions. */
  isLocked?: boolean
  /** An error message for each invalid path, as returned by `fieldSentences`. */
  check: (values: Values) => Record<string, string>
  /** `version` is the loaded version, or the one to overwrite. Null: not saved, which is explained elsewhere. */
  save: (values: Values, version: number | undefined) => Promise<Saved | SentForApproval | null>
  /** Called after a save: show a toast, navigate, invalidate lists. `isTyping`: more was typed meanwhile, so the form has to stay. */
  onSaved: (saved: Saved, meanwhile: { isTyping: boolean }) => void | Promise<void>
  /** Called with the saved record or another user's version, which the form continues with. */
  keep: (record: Saved) => void
  /** How the values of two users are brought together, if it isn't `mergeChanges`. */
  merge?: (versions: Versions<Values>, winner: Winner) => Values
  /** The fields of the form that opens with a new record, if they are others: it takes what was typed meanwhile. */
  opens?: Readonly<Record<string, string>>
  /** The form continues with another user's changes: what was remembered about earlier values needs them too. */
  onMerged?: (base: Values, theirs: Values) => void
}

/** A form that meets another user's version. */
export type StaleRecord<Values, Saved> = Readonly<{
  /** What both started from. */
  base: Values
  mine: Values
  theirs: Values
  /** What is saved by overwriting: the changes of both, and those of this user where both changed the same. */
  merged: Values
  /** The same with the other user's changes where both changed the same: what differs is replaced by overwriting. */
  yielding: Values
  current: Saved
}>

export type RecordFormState<Values, Saved> = {
  form: UseFormReturnType<Values>
  /** The form element's ID: a button outside the form saves with `form={record.id}`. */
  id: string
  /** Label, value and error of a field, as props for Mantine inputs. */
  field: (name: keyof Values & string) => ReturnType<UseFormReturnType<Values>['getInputProps']> & {
    label: string
    readOnly: boolean
  }
  /** Sets fields by name: several at once, or fields that aren't plain inputs (a list, a matrix). */
  change: (changes: Readonly<Record<string, unknown>>) => void
  labels: Labels<Values>
  /** The fields that differ from the loaded record. */
  changed: string[]
  isReadOnly: boolean
  isSaving: boolean
  /** An error that belongs to no field. */
  alert: string | null
  /** Goes to the first wrong field of someone who typed on while the save was refused; null if there is none. */
  showWrong: (() => void) | null
  submit: () => void
  /** Restores the loaded values. */
  discard: () => void
  /** Incremented when the values are saved, reset or replaced: anything remembered about earlier ones is void. */
  generation: number
  /** Allows navigation without the unsaved changes prompt, after another action such as a removal. */
  release: () => void
  /** The form continues with the record after another action on it, such as a pause. What is typed stays. */
  keep: (saved: Saved) => void
  /** Another user's version, when this form was stale; resolved in `StaleDialog`. */
  stale: StaleRecord<Values, Saved> | null
  resolve: (how: 'close' | 'reload' | 'overwrite') => void
  /** What someone else did and this user hasn't decided on: for `SaveBar`, `FormFooter` or a `ConflictNotice`. */
  conflict: Conflict | null
  /** `StaleDialog` is open, or opens when the user pauses typing. */
  isDeciding: boolean
  /** What the same person typed here before and didn't save. */
  kept: KeptText
  /** Someone deleted the record after this form was loaded; `StaleDialog` says so. `acceptGone`: it is added again. */
  isGone: boolean
  acceptGone: () => void
}

/** `alert`: an error of the last attempt to save that belongs to no field. */
const NO_ATTEMPT: { isTried: boolean; alert: string | null } = { isTried: false, alert: null }

/**
 * The form of one record: values, validation by the contract (errors after the first submit, then live), server
 * errors on their fields with focus on the first, one save at a time, the unsaved changes guard, and conflict
 * handling. It continues with each saved version, so the cursor and what was typed meanwhile stay. Use it inside a
 * `LoadedRecord`, which holds the version it goes on with:
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
  const { record, toValues, labels, endpoint, check, keep } = options
  const id = useId()
  const values = useValues({ ...options, id })
  const { form, initial, setAttempt, goOn, complain, change } = values
  const sent = useRef({ values: initial, at: 0 })
  const isReadOnly = useIsMissing(endpoint) || options.isLocked === true
  const changed = findDifferences(labels, form.values, initial)
  // Of a record that was deleted and is added again, everything is new.
  const [isEdited] = useState(record !== null)
  const isAgain = isEdited && record === null
  const typed = isAgain ? Object.keys(labels) : changed
  const { kept, release } = useKeptGuard({
    endpoint,
    record,
    values: form.values,
    ...(!isAgain && { loaded: initial }),
    changed: typed,
    putBack: change,
    merge: options.merge,
  })
  const carry = useCarrying((saved: Saved) => ({
    key: keyOf(saved, options.opens ?? labels),
    focused: readFocus(id),
    drop: kept.end,
    ...typedMeanwhile(labels, sent.current.values, form.getValues()),
  }))
  const { send, isSaving } = useSaving({
    // Fresh: overwriting has just set them.
    save: (version) => options.save((sent.current = sentNow(form.getValues())).values, version),
    takeOut: (names) => values.takeOut(names, sent.current.values),
    onSaved: (saved) => {
      const rest = typedMeanwhile(labels, sent.current.values, form.getValues())
      release(rest)
      // A new record gets a form of its own.
      if (record === null) carry(saved)
      else goOn({ base: sent.current.values, now: withTypedSpaces(sent.current.values, toValues(saved)) })
      if (rest !== undefined) saySavedMeanwhile()
      keep(saved)
      return options.onSaved(saved, { isTyping: rest !== undefined })
    },
    onRefused: refuse,
  })
  useTypedMeanwhile({ ...options, form, initial, id })
  const { meet, version, ...conflict } = useConflict({
    ...options,
    form,
    initial,
    send,
    take: (theirs) => {
      release()
      goOn({ base: form.getValues(), now: toValues(theirs) })
      keep(theirs)
    },
  })

  function refuse(failure: CallFailure) {
    if (meet(failure)) return
    if (Object.keys(failure.fields).length > 0) complain(failure.fields, sent.current.at)
    else setAttempt({ isTried: true, alert: describeFailure(failure) })
  }

  function submit() {
    setAttempt({ isTried: true, alert: null })
    if (isReadOnly) return
    const wrong = check(form.values)
    if (Object.keys(wrong).length > 0) return complain(wrong)
    if (!hasUnread()) return send(version)
    void mayLeaveUnread().then((isSure) => isSure && send(version))
  }

  return {
    form,
    id,
    field: (name) => ({ label: labels[name], readOnly: isReadOnly, ...form.getInputProps(name) }),
    change,
    labels,
    changed,
    isReadOnly,
    isSaving,
    ...values.shown,
    submit,
    discard: () => (conflict.stale ? conflict.resolve('reload') : values.discard()),
    release,
    keep: (saved) => {
      const base = form.getInitialValues()
      goOn({ base, now: withTypedSpaces(base, toValues(saved)) })
      keep(saved)
    },
    kept,
    ...conflict,
  }
}

/** The values of a form, what it started or goes on with, and what is wrong with them. */
function useValues<Values extends Record<string, unknown>, Saved extends Versioned>({
  record,
  blank,
  toValues,
  labels,
  check,
  merge = mergeChanges,
  id,
}: Pick<Options<Values, Saved>, 'record' | 'blank' | 'toValues' | 'labels' | 'check' | 'merge'> & {
  id: string
}) {
  const [initial, setInitial] = useState(() => (record ? toValues(record) : blank))
  const [{ isTried, alert }, setAttempt] = useState(NO_ATTEMPT)
  const [generation, setGeneration] = useState(0)
  const [wrong, setWrong] = useState<{ says: string; sentAt: number } | null>(null)
  // The user types on in another field than the wrong one.
  const [isPassed, setPassed] = useState(false)
  // After the errors are shown: the first field is focused. If it is in a part that isn't shown, such as another tab, the form says it.
  // So it does to someone who types on in another field: the answer doesn't take that from under their fingers.
  useEffect(() => {
    if (wrong === null) return
    const field = findWrong(id)
    const isBusy = hasTypedSince(wrong.sentAt)
    // What is shown is known only afterwards.
    // oxlint-disable-next-line react/set-state-in-effect
    if (field === null || isBusy) setAttempt((before) => ({ ...before, alert: before.alert ?? wrong.says }))
    else turnTo(field)
    // The field and the alert may be out of sight.
    if (isBusy) toast('Not saved', wrong.says, { isWarning: true })
    setPassed(isBusy)
  }, [wrong, id])
  const form = useForm<Values>({
    initialValues: initial,
    // A new function each time, because Mantine starts live validation only when the function changes.
    validate: (values) => placeErrors(check(values), values).fields,
    validateInputOnChange: isTried,
  })
  function restart() {
    setAttempt(NO_ATTEMPT)
    setPassed(false)
    setGeneration((before) => before + 1)
  }
  return {
    form,
    initial,
    shown: {
      alert,
      showWrong:
        isPassed && Object.keys(form.errors).length > 0
          ? () => {
              setPassed(false)
              findWrong(id)?.focus()
            }
          : null,
      generation,
    },
    setAttempt,
    /** Continues with another version: what was changed since `base` stays. */
    goOn: ({ base, now }: Record<'base' | 'now', Values>) => {
      const focused = readFocus(id)
      setInitial(now)
      form.setInitialValues(now)
      form.setValues(merge({ base, mine: form.getValues(), theirs: now }, 'mine'))
      form.clearErrors()
      restart()
      // Fields of parts that the server named are new ones.
      if (focused !== null) requestAnimationFrame(() => restoreFocus(id, focused))
    },
    /** Puts fields back to what is saved, unless more was typed since they were `sent`. Returns whether others are changed. */
    takeOut: (names: readonly string[], sent: Values): boolean => {
      const base = { ...initial, ...Object.fromEntries(names.map((name) => [name, sent[name]])) }
      form.setValues(merge({ base, mine: form.getValues(), theirs: initial }, 'mine'))
      form.clearErrors()
      restart()
      return findDifferences(labels, form.getValues(), initial).length > 0
    },
    /** `sentAt`: when the values were sent that the server refused. */
    complain: (sentences: Readonly<Record<string, string>>, sentAt = Infinity) => {
      const { fields, rest } = placeErrors(sentences, form.values)
      form.setErrors(fields)
      setAttempt({ isTried: true, alert: rest[0] ?? null })
      const [first = null] = Object.entries(fields)
      setWrong(first === null ? null : { says: describeHidden(first, labels), sentAt })
    },
    change: (changes: Readonly<Record<string, unknown>>) => {
      // The current values: the caller may have waited for an answer since it was rendered.
      const values = { ...form.getValues(), ...changes }
      form.setValues(values)
      if (isTried) form.setErrors(placeErrors(check(values), values).fields)
    },
    discard: () => {
      form.reset()
      restart()
    },
  }
}

const keyOf = (saved: object, labels: Readonly<Record<string, string>>): string =>
  `${'id' in saved ? String(saved.id) : ''} ${Object.keys(labels).join(',')}`

/** The fields that were typed into after `sent` was sent to be saved, as they are and as they were sent. */
function typedMeanwhile<Values extends Record<string, unknown>>(
  labels: Labels<Values>,
  sent: Values,
  now: Values,
) {
  const names = findDifferences(labels, sent, now)
  const part = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name]]))
  return names.length === 0 ? undefined : { values: part(now), loaded: part(sent) }
}

/** Continues with what was typed into the form of a new record while it was added. */
function useTypedMeanwhile<Values extends Record<string, unknown>, Saved extends Versioned>({
  record,
  labels,
  merge = mergeChanges,
  form,
  initial,
  id,
}: Pick<ConflictOptions<Values, Saved>, 'record' | 'labels' | 'merge' | 'form' | 'initial'> & {
  id: string
}): void {
  const { setValues } = form
  // After the last key that the other form received, and before the next one.
  useLayoutEffect(() => {
    const typed = record === null ? null : takeCarried(keyOf(record, labels))
    if (typed === null) return
    const { values, loaded } = typed
    // It is in the form, so it isn't offered.
    typed.drop()
    if (values !== undefined)
      setValues(merge(versionsOf({ values, ...(loaded && { loaded }) }, initial), 'mine'))
    if (typed.focused !== null) restoreFocusSoon(id, typed.focused)
    // Once: afterwards the form is the user's.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
}

type ConflictOptions<Values, Saved> = Options<Values, Saved> & {
  form: UseFormReturnType<Values>
  /** The values of the loaded record. */
  initial: Values
  send: (version: number | undefined) => void
  /** Continues with another user's version instead. */
  take: (theirs: Saved) => void
}

/** What someone else did to the record after this form was loaded: `meet` takes it from a failed save. */
function useConflict<Values extends Record<string, unknown>, Saved extends Versioned>({
  record,
  labels,
  toValues,
  schema,
  onSaved,
  merge = mergeChanges,
  onMerged,
  form,
  initial,
  send,
  take,
}: ConflictOptions<Values, Saved>) {
  const [newer, setNewer] = useState<Saved | null>(null)
  /** Another user's version whose changes are in the form since it was overwritten. */
  const [overwritten, setOver] = useState<Saved | null>(null)
  const [isGone, setGone] = useState(false)
  const [isDeciding, setDeciding] = useState(false)
  const over = overwritten !== null && overwritten.version >= (record?.version ?? 0) ? overwritten : null
  const base = over ? toValues(over) : initial

  function compareWith(current: Saved): StaleRecord<Values, Saved> {
    const versions = { base, mine: form.getValues(), theirs: toValues(current) }
    return { ...versions, merged: merge(versions, 'mine'), yielding: merge(versions, 'theirs'), current }
  }
  /** Whether the failure is a conflict. */
  function meet(failure: CallFailure): boolean {
    const isDeleted = failure.status === 404 && record !== null
    if (isDeleted) {
      setGone(true)
      setDeciding(true)
    }
    if (failure.status !== 409) return isDeleted
    const current = schema.safeParse(failure.current)
    if (!current.success) return false
    const { merged, theirs } = compareWith(current.data)
    // A merge of its own may keep what this user deleted, because the other one refers to it. That isn't the same.
    const plain = mergeChanges({ base, mine: form.getValues(), theirs })
    const isSame = [merged, plain].every((one) => findDifferences(labels, one, theirs).length === 0)
    if (!isSame) {
      setNewer(current.data)
      setDeciding(true)
    } else {
      // They saved the same, so there is nothing to decide.
      setNewer(null)
      take(current.data)
      void onSaved(current.data, { isTyping: false })
    }
    return true
  }
  function resolve(how: 'close' | 'reload' | 'overwrite') {
    setDeciding(false)
    if (!newer || how === 'close') return
    setNewer(null)
    const { merged, theirs } = compareWith(newer)
    onMerged?.(base, theirs)
    if (how === 'reload') return take(newer)
    form.setValues(merged)
    setOver(newer)
    send(newer.version)
  }
  return {
    meet,
    /** The version that the next save replaces. */
    version: (over ?? record)?.version,
    stale: newer && compareWith(newer),
    resolve,
    conflict: isGone || newer ? { change: isGone ? null : newer, decide: () => setDeciding(true) } : null,
    isDeciding,
    isGone,
    acceptGone: () => {
      setGone(false)
      setDeciding(false)
    },
  }
}

/**
 * Saves a form. What was sent for approval is taken out of it, and the rest is saved.
 * @param takeOut returns whether anything is left to save.
 */
async function saveTheRest<Saved extends object>(
  saveNow: () => Promise<Saved | SentForApproval | null>,
  takeOut: (names: readonly string[]) => boolean,
): Promise<Saved | null> {
  const result = await saveNow()
  if (result === null || !isSent(result)) return result
  if (!takeOut(result.sentForApproval)) return null
  const rest = await saveNow()
  return rest === null || isSent(rest) ? null : rest
}

type Saving<Saved> = {
  save: (version: number | undefined) => Promise<Saved | SentForApproval | null>
  takeOut: (names: readonly string[]) => boolean
  onSaved: (saved: Saved) => void | Promise<void>
  onRefused: (failure: CallFailure) => void
}

/** Saves one at a time: two handlers can receive the same key before React renders the first save. */
function useSaving<Saved extends object>({ save, takeOut, onSaved, onRefused }: Saving<Saved>) {
  const isUnderWay = useRef(false)
  const { mutate, isPending } = useMutation({
    mutationFn: (version: number | undefined) => saveTheRest(() => save(version), takeOut),
    onSuccess: (saved) => (saved === null ? undefined : onSaved(saved)),
    onError: onRefused,
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const send = (version: number | undefined) => {
    if (isUnderWay.current) return
    isUnderWay.current = true
    mutate(version)
  }
  return { send, isSaving: isPending }
}

/** Values that are sent now. */
const sentNow = <Values>(values: Values) => ({ values, at: performance.now() })

/** Whether the user lacks the permission of an endpoint. */
function useIsMissing({ allow }: Endpoint): boolean {
  const holds = useHolds()
  const wanted = permissionsFor(allow)
  return wanted.length > 0 && !wanted.some((permission) => holds(permission) === true)
}

/** The first field with an error that is shown. */
const findWrong = (formId: string): HTMLElement | null =>
  document.getElementById(formId)?.querySelector<HTMLElement>('[aria-invalid="true"], [data-wrong]') ?? null

/** "Title: “$19,995” is typed by hand." */
function describeHidden(
  [path, sentence]: readonly [string, string],
  labels: Readonly<Record<string, string>>,
): string {
  const label = labels[path.split('.')[0] ?? '']
  return label === undefined ? sentence : `${label}: ${sentence}`
}
