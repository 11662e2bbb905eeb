import { type Action, actionRecord } from '#contract/assessments/actions/actions.ts'
import { localeFormat } from '#contract/parsing/locale-format.ts'
import { parseNumber } from '#contract/parsing/parse-number.ts'
import { typeNumber } from '#contract/parsing/typed-number.ts'
import { type FormPart, recordForm } from '#web/ui/record/record-form.ts'

/** Amounts as typed. */
type Typed = { costCents: string; expectedTonnes: string }
type Amounts = Pick<Action, keyof Typed>

const amounts: FormPart<keyof Typed, Action, Typed, Amounts> = {
  fields: ['costCents', 'expectedTonnes'],
  labels: { costCents: 'Cost', expectedTonnes: 'Expected savings' },
  blank: { costCents: '', expectedTonnes: '' },
  toValues: ({ costCents, expectedTonnes }) => ({
    costCents: costCents === null ? '' : typeNumber(costCents / 100),
    expectedTonnes: typeNumber(expectedTonnes),
  }),
  toInput: ({ costCents, expectedTonnes }) => ({
    costCents: readCost(costCents).value,
    expectedTonnes: read(expectedTonnes).value,
  }),
  check: ({ costCents, expectedTonnes }, sentences) => {
    const [cost, tonnes] = [readCost(costCents), read(expectedTonnes)]
    return {
      ...sentences,
      ...(cost.refusal !== undefined && { costCents: cost.refusal }),
      ...(tonnes.refusal !== undefined && { expectedTonnes: tonnes.refusal }),
    }
  },
}

/** The form of an action. */
export const actionForm = recordForm(actionRecord, amounts)
export type ActionValues = typeof actionForm.blank

type Read<Value> = { value: Value | null; refusal?: string }

function read(text: string): Read<string> {
  if (text.trim() === '') return { value: null }
  const parsed = parseNumber(text, localeFormat())
  return 'refusal' in parsed ? { value: null, refusal: parsed.refusal } : { value: parsed.value }
}

/** Whole cents, never read through a fraction. */
function readCost(text: string): Read<number> {
  const { value, ...rest } = read(text)
  if (value === null) return { value, ...rest }
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(value))
    return { value: null, refusal: 'Cost must be an amount such as 1200 or 1200.50.' }
  const [whole = '0', fraction = ''] = value.split('.')
  return { value: Number(whole) * 100 + Number(fraction.padEnd(2, '0')) }
}
