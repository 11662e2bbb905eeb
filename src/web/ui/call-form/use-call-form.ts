import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { isEqual } from '#contract/questions/changes.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { type KeptText, useKeptTyping } from '#web/ui/record/kept-typing.ts'

type Options<Values, Result> = {
  /** The call that `send` makes. What is typed is kept for it. */
  endpoint: Endpoint
  /** The ID of what it is about; null for something new. */
  about: string | null
  initial: Values
  /** The message at each value that can't be sent; none if all can. */
  check?: (values: Values) => Partial<Record<keyof Values & string, string>>
  /** Null: it wasn't done, which is explained elsewhere. */
  send: (values: Values) => Promise<Result | null>
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
  isBusy: boolean
  submit: () => void
  kept: KeptText
}>

/**
 * What is typed into a form with a call of its own. It stays on this device until it was sent, so that it is offered again
 * after a reload, or after the form was closed.
 */
export function useCallForm<Values extends Record<string, unknown>, Result>(
  options: Options<Values, Result>,
): CallFormState<Values> {
  const { endpoint, about, check, send, onDone, onRefused } = options
  const [initial] = useState(options.initial)
  const [values, setValues] = useState(initial)
  const [isTried, setTried] = useState(false)
  const isUnderWay = useRef(false)
  const change = (changes: Readonly<Record<string, unknown>>) => setValues((now) => ({ ...now, ...changes }))
  const kept = useKeptTyping({
    endpoint,
    record: about === null ? null : { id: about },
    values,
    changed: Object.keys(initial).filter((name) => !isEqual(values[name], initial[name])),
    putBack: change,
  })
  const { mutate, isPending, error } = useMutation({
    mutationFn: send,
    onSuccess: (result) => {
      if (result === null) return
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
    refusal: Object.keys(error?.fields ?? {}).some((name) => name in values) ? null : error,
    isBusy: isPending,
    submit: () => {
      setTried(true)
      if (isUnderWay.current || Object.keys(wrong).length > 0) return
      isUnderWay.current = true
      mutate(values)
    },
    kept,
  }
}
