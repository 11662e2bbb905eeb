import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { parseNumber, showNumber } from '#contract/parsing/parse-number.ts'
import { forgetUnread, noteUnread, recallUnread } from './unread-numbers.ts'

type Limits = Readonly<{
  min?: number | undefined
  max?: number | undefined
  /** Most digits after the decimal sign; whole numbers if left out. */
  decimals?: number | undefined
  /** Blank is refused. */
  required?: boolean
}>

/** A number with more digits than a JavaScript number holds stays text: plain digits, "12345678901234567.5". */
type NumberValue = number | string

type Props = Omit<TextInputProps, 'value' | 'onChange' | 'type' | keyof Limits> &
  Limits & {
    /** Blank if empty or undefined. Text that isn't a number is shown as it is. */
    value?: NumberValue | undefined
    /**
     * With a number, or with ''. Text that can't be read is only passed on with `takesText`.
     */
    onChange: (value: NumberValue) => void
    /** For forms that refuse the text when they are saved. Otherwise the number from before stays, and the field says so. */
    takesText?: boolean
    /** Numbers are passed on as plain digits. */
    isText?: boolean
    /** Without thousands separators: years. */
    isPlain?: boolean
    /** A name within the page: text that can't be read is shown again when the field is opened again. */
    rememberAs?: string
  }

type Typed = Readonly<{ text: string; of: string }>

/**
 * A field for a number, typed as the user's language writes it. It never changes what is typed into another number: what
 * can't be read, is ambiguous or lies outside the limits stays, with a sentence that says so.
 */
export function NumberField(props: Props) {
  const {
    value,
    onChange,
    takesText = false,
    isText = false,
    isPlain = false,
    rememberAs,
    error,
    ...given
  } = props
  const { min, max, decimals, ...input } = given
  const limits = { min, max, decimals, required: input.required === true }
  // `of`: the value that the text belongs to. Another one came from elsewhere, such as undo, and is shown.
  const [typed, setTyped] = useState<Typed | null>(() =>
    rememberAs === undefined ? null : recallUnread(rememberAs),
  )
  const [isLeft, setIsLeft] = useState(true)
  /** The value before the text was typed: the first digits of a text that can't be read are no number of their own. */
  const before = useRef(value)
  const held = String(value ?? '')
  // While it is typed, the form may be a moment behind.
  const isTyped = typed !== null && input.readOnly !== true && (!isLeft || typed.of === held)
  const text = isTyped ? typed.text : showDigits(held, isPlain)
  const read = readNumber(text, limits)
  const problem = 'refusal' in read && isLeft && (typed !== null || text !== '') ? read.refusal : null
  const id = useId()
  const name = rememberAs ?? id
  const unread = isTyped && 'refusal' in read && !takesText ? typed : null
  const label = input['aria-label'] ?? (typeof input.label === 'string' ? input.label : '')
  useEffect(() => {
    if (unread !== null) return noteUnread(name, { ...unread, label }, rememberAs !== undefined)
    forgetUnread(name)
    return undefined
  }, [unread, name, label, rememberAs])
  return (
    <TextInput
      {...input}
      inputMode={decimals === undefined ? 'numeric' : 'decimal'}
      autoComplete="off"
      maxLength={40}
      value={text}
      error={error ?? problem}
      onChange={({ currentTarget: { value: next } }) => {
        const result = readNumber(next, limits)
        const instead = takesText ? next : (before.current ?? '')
        const found = 'value' in result ? result.value : instead
        const passed = isText ? String(found) : found
        setIsLeft(false)
        setTyped({ text: next, of: String(passed) })
        if (String(passed) !== held) onChange(passed)
      }}
      onFocus={(event) => {
        before.current = value
        input.onFocus?.(event)
      }}
      onBlur={(event) => {
        if ('value' in read) setTyped(null)
        setIsLeft(true)
        input.onBlur?.(event)
      }}
    />
  )
}

const DIGITS = /^-?\d+(\.\d+)?$/

function showDigits(value: string, isPlain: boolean): string {
  if (!DIGITS.test(value)) return value
  const format = localeFormat()
  return isPlain ? value.replace('.', format.decimal) : showNumber(value, format)
}

type Read = Readonly<{ value: NumberValue } | { refusal: string }>

/** Reads what was typed: a number within the limits, blank, or why it can't be taken. */
export function readNumber(text: string, { min, max, decimals = 0, required = false }: Limits): Read {
  if (text.trim() === '') return required ? { refusal: 'Enter a number.' } : { value: '' }
  if (/[a-z]/i.test(text)) return { refusal: `"${text}" isn't a number.` }
  const parsed = parseNumber(text, localeFormat())
  if (!('value' in parsed)) return parsed
  const number = Number(parsed.value)
  const places = parsed.value.split('.')[1]?.length ?? 0
  if (places > decimals)
    return { refusal: decimals === 0 ? 'Enter a whole number.' : `Enter at most ${decimals} decimals.` }
  if ((min !== undefined && number < min) || (max !== undefined && number > max))
    return { refusal: limitText(min, max) }
  return { value: String(number) === parsed.value ? number : parsed.value }
}

function limitText(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return `Enter at most ${max?.toLocaleString()}.`
  if (max === undefined) return `Enter at least ${min.toLocaleString()}.`
  return `Enter a number from ${min.toLocaleString()} to ${max.toLocaleString()}.`
}
