import { useLayoutEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'
import { isEqual } from '#contract/questions/changes.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { saySavedMeanwhile } from '#web/ui/record/carry-typing.ts'
import { findDifferences, type Labels } from '#web/ui/record/differences.ts'
import { type KeptText, useKeptTyping } from '#web/ui/record/kept-typing.ts'
import { mergeChanges } from '#web/ui/record/merge-changes.ts'
import { currentOf } from '#web/ui/record/over-newer.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import type { Versioned } from '#web/ui/record/use-record-form.ts'

/** How a call with a version is made again after another user was faster (409). */
type StaleCall<Values, Saved> = Readonly<{
  /** "this photo". */
  thing: string
  labels: Labels<Values>
  /** Parses the record that a 409 includes. */
  schema: z.ZodType<Saved>
  /** What the form would start with now; null if what it is about is gone. */
  toValues: (current: Saved) => Values | null
}>

/** What another user saved while the form was open. The next attempt replaces it. */
export type NewerVersion = Readonly<{
  thing: string
  change: Versioned
  /** "Pages: 3-5", of what both changed; none if the form has what was saved meanwhile. */
  replaced: readonly string[]
  /** Takes what was saved meanwhile into the form. */
  reload: () => void
}>

type Options<Values, Result, Saved> = {
  /** The call that `send` makes. What is typed is kept for it. */
  endpoint: Endpoint
  /** The ID of what it is about; null for something new. */
  about: string | null
  initial: Values
  /** The message at each value that can't be sent; none if all can. */
  check?: (values: Values) => Partial<Record<keyof Values & string, string>>
  /** Null: it wasn't done, which is explained elsewhere. */
  send: (values: Values, newer: Saved | null) => Promise<Result | null>
  /** It may be sent again with other values: what is typed while it is sent stays, and so does the form. Otherwise its inputs are locked. */
  isUpdate?: boolean
  /** For a call with a version: `send` replaces the version of `newer`, if there is one. */
  stale?: StaleCall<Values, Saved>
  onDone: (result: Result) => void
  /** The refusal is shown in the form. */
  onRefused?: (failure: CallFailure) => void
}

/** A form with a call of its own, for `CallForm`. */
export type CallFormState<Values> = Readonly<{
  values: Values
  change: (changes: Partial<Values>) => void
  /** The props of a text input. */
  field: (name: keyof Values & string) => {
    value: string
    onChange: (event: { currentTarget: { value: string } }) => void
    error: string | null
  }
  /** Messages by value: before it is sent, from the first attempt on; then the server's. */
  errors: Readonly<Record<string, string | undefined>>
  /** The refusal that belongs to no value. */
  refusal: CallFailure | null
  /** What was met by the last attempt, which is not a refusal then. */
  newer: NewerVersion | null
  isBusy: boolean
  /** Nothing can be typed. */
  isLocked: boolean
  submit: () => void
  kept: KeptText
}>

/**
 * What is typed into a form with a call of its own. It stays on this device until it was sent, so that it is offered again
 * after a reload, or after the form was closed.
 */
export function useCallForm<
  Values extends Record<string, unknown>,
  Result,
  Saved extends Versioned = Versioned,
>(options: Options<Values, Result, Saved>): CallFormState<Values> {
  const { endpoint, about, check, onDone, onRefused, isUpdate = false } = options
  const [initial, setInitial] = useState(options.initial)
  const [values, setValues] = useState(initial)
  const [isTried, setTried] = useState(false)
  const isUnderWay = useRef(false)
  const latest = useRef(values)
  useLayoutEffect(() => {
    latest.current = values
  })
  const change = (changes: Readonly<Record<string, unknown>>) => setValues((now) => ({ ...now, ...changes }))
  const kept = useKeptTyping({
    endpoint,
    record: about === null ? null : { id: about },
    values,
    changed: Object.keys(initial).filter((name) => !isEqual(values[name], initial[name])),
    putBack: change,
  })
  const { send, goOn, newer } = useNewer({ ...options, initial, setValues })
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (result, sent) => {
      if (result === null) return
      if (isUpdate && !isEqual(latest.current, sent)) {
        setInitial(sent)
        goOn(sent)
        saySavedMeanwhile()
        return
      }
      kept.end()
      onDone(result)
    },
    ...(onRefused && { onError: onRefused }),
    onSettled: () => {
      isUnderWay.current = false
    },
  })
  const wrong = check?.(values) ?? {}
  const errors: Readonly<Record<string, string | undefined>> = { ...error?.fields, ...(isTried && wrong) }
  return {
    values,
    change,
    field: (name) => ({
      value: String(values[name] ?? ''),
      onChange: ({ currentTarget: { value } }) => change({ [name]: value }),
      error: errors[name] ?? null,
    }),
    errors,
    refusal: newer !== null || Object.keys(error?.fields ?? {}).some((name) => name in values) ? null : error,
    newer,
    isBusy: isPending,
    isLocked: isPending && !isUpdate,
    submit: () => {
      setTried(true)
      if (isUnderWay.current || Object.keys(wrong).length > 0) return
      isUnderWay.current = true
      mutate(values)
    },
    kept,
  }
}

/** Brings what another user saved meanwhile together with what is in the form, as forms of records do. */
function useNewer<Values extends Record<string, unknown>, Result, Saved extends Versioned>({
  stale,
  initial,
  send,
  setValues,
}: Options<Values, Result, Saved> & { setValues: (values: Values) => void }) {
  const base = useRef(initial)
  const newest = useRef<Saved | null>(null)
  const [newer, setNewer] = useState<NewerVersion | null>(null)
  async function attempt(mine: Values): Promise<Result | null> {
    setNewer(null)
    try {
      return await send(mine, newest.current)
    } catch (failure) {
      const current = stale === undefined ? null : currentOf(failure, stale.schema)
      const theirs = current === null ? null : stale?.toValues(current)
      if (stale === undefined || current === null || theirs == null) throw failure
      const [merged, yielding] = (['mine', 'theirs'] as const).map((winner) =>
        mergeChanges({ base: base.current, mine, theirs }, winner),
      )
      if (merged === undefined || yielding === undefined) throw failure
      const { thing, labels } = stale
      const isSeen = findDifferences(labels, base.current, theirs).length === 0
      base.current = theirs
      newest.current = current
      // Something else of the record was changed.
      if (isSeen) return attempt(mine)
      setValues(merged)
      const named: Readonly<Record<string, string>> = labels
      setNewer({
        thing,
        change: current,
        replaced: findDifferences(labels, merged, yielding).map(
          (name) => `${named[name]}: ${showValue(theirs[name])}`,
        ),
        reload: () => {
          setValues(theirs)
          setNewer(null)
        },
      })
      throw failure
    }
  }
  return {
    send: attempt,
    newer,
    /** What was sent is saved, and the form goes on with it. */
    goOn: (sent: Values) => {
      base.current = sent
    },
  }
}
