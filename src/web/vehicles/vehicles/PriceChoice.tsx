import { Group, Select, Text, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Job } from '#contract/jobs/jobs.ts'
import type { Selection } from '#contract/lists/selection.ts'
import {
  BulkPrice,
  PRICE_ACTIONS,
  PRICE_ENDINGS,
  ROUNDING_DIRECTIONS,
} from '#contract/vehicles/vehicles/bulk-prices.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { parseMoney } from '#web/customers/index.ts'
import { CallForm } from '#web/ui/call-form/CallForm.tsx'
import { readNumber } from '#web/ui/form/NumberField.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { PriceEffect } from './PriceEffect.tsx'
import { type PriceChange, previewAgain, seenPreview, usePricePreview } from './price-preview.ts'
import { useBulkChange } from './use-bulk-change.ts'

type Props = { selection: Selection; vehicles: number; onAnswer: (job: Job | null) => void }

const ACTIONS = [
  { group: 'Price', items: [...PRICE_ACTIONS] },
  {
    group: 'New price from the feed',
    items: [
      { value: 'keep', label: 'Keep your price' },
      { value: 'take', label: 'Take the feed price' },
    ],
  },
]
const ABOUT = {
  keep: 'Only vehicles whose price a person set and whose feed has sent another price since. Your price stays until the feed sends another one.',
  take: 'Only vehicles whose price a person set and whose feed has sent another price since. Later changes in the feed apply again, too.',
} as const
const ENDINGS = PRICE_ENDINGS.map(({ value, label }) => ({ value, label }))

const PERCENT = { min: 0.01, max: 100, decimals: 2, required: true }

const INITIAL = { action: 'lower', amount: '', unit: 'percent', ending: 'none', direction: 'nearest' }
type Values = typeof INITIAL

const answerOf = (action: string): 'keep' | 'take' | null =>
  action === 'keep' || action === 'take' ? action : null

/** The change of prices that was entered, or the message at each value that can't be sent. */
function readValues(
  { action, amount, unit, ending, direction }: Values,
  currency: string,
): { price: PriceChange } | { errors: Partial<Record<keyof Values, string>> } {
  const isSet = action === 'set'
  const rounding = isSet ? {} : { ending, direction: ending === 'none' ? 'nearest' : direction }
  const percent = unit === 'percent' && !isSet ? readNumber(amount.replace(/\s*%\s*$/, ''), PERCENT) : null
  if (percent !== null && 'refusal' in percent) return { errors: { amount: percent.refusal } }
  const by = percent === null ? { cents: parseMoney(amount, currency) } : { percent: Number(percent.value) }
  const read = BulkPrice.safeParse({ action, ...by, ...rounding })
  if (read.success) return { price: read.data }
  return { errors: { amount: read.error.issues[0]?.message ?? 'Enter an amount.' } }
}

/** Changes the prices of the selected vehicles, with the effect before; or decides about new prices from the feed. */
export function PriceChoice({ selection, vehicles: selected, onAnswer }: Props) {
  const { data: settings } = useQuery(query(vehicles.settings, {}))
  const currency = settings?.currency ?? 'USD'
  const call = useBulkChange({
    name: 'price',
    selection,
    initial: INITIAL,
    check: (values): Partial<Record<keyof Values, string>> => {
      if (answerOf(values.action) !== null) return {}
      const read = readValues(values, currency)
      return 'errors' in read ? read.errors : {}
    },
    toChange: (values) => {
      const answer = answerOf(values.action)
      if (answer !== null) return { sourcePrice: answer }
      const read = readValues(values, currency)
      if ('errors' in read) throw new Error('The values were not checked.')
      return { price: read.price, seen: seenPreview(selection, read.price) }
    },
    onAnswer,
    onRefused: () => void previewAgain(),
  })
  const { action, amount } = call.values
  const answer = answerOf(action)
  const read = answer === null ? readValues(call.values, currency) : null
  const price = read !== null && 'price' in read ? read.price : null
  const preview = usePricePreview(selection, price)
  const changed = preview.data === undefined ? 0 : preview.data.lowered + preview.data.raised
  const confirm =
    answer === null
      ? `Change ${preview.isCurrent ? count(changed, 'price', 'prices') : 'prices'}`
      : `Decide for ${count(selected, 'vehicle', 'vehicles')}`
  return (
    <CallForm
      call={call}
      confirm={confirm}
      isReady={answer !== null || price === null || (preview.isCurrent && changed > 0)}
      onCancel={() => onAnswer(null)}
    >
      <Select
        label="Change"
        data-autofocus
        data={ACTIONS}
        value={action}
        allowDeselect={false}
        onChange={(value) => call.change({ action: value ?? 'lower' })}
      />
      {answer === null ? (
        <>
          <PriceFields call={call} currency={currency} />
          {(amount !== '' || preview.data !== undefined) && <PriceEffect preview={preview} />}
        </>
      ) : (
        <Text size="sm">{ABOUT[answer]}</Text>
      )}
    </CallForm>
  )
}

type FieldProps = {
  call: Pick<ReturnType<typeof useBulkChange<Values>>, 'values' | 'change' | 'field' | 'errors'>
  currency: string
}

/** By how much, and what the new prices are rounded to. */
function PriceFields({ call, currency }: FieldProps) {
  const { action, unit, ending, direction } = call.values
  const isSet = action === 'set'
  return (
    <>
      <Group grow align="flex-start" gap="sm">
        <TextInput
          {...call.field('amount')}
          label={isSet ? 'Price' : 'Amount'}
          required
          inputMode="decimal"
          autoComplete="off"
        />
        {!isSet && (
          <Select
            label="Unit"
            data={[
              { value: 'percent', label: 'Percent' },
              { value: 'amount', label: currency },
            ]}
            value={unit}
            allowDeselect={false}
            onChange={(value) => call.change({ unit: value ?? 'percent' })}
          />
        )}
      </Group>
      {!isSet && (
        <Select
          label="Round to"
          data={ENDINGS}
          value={ending}
          allowDeselect={false}
          onChange={(value) => call.change({ ending: value ?? 'none' })}
        />
      )}
      {!isSet && ending !== 'none' && (
        <Select
          label="Rounding"
          data={[...ROUNDING_DIRECTIONS]}
          value={direction}
          allowDeselect={false}
          onChange={(value) => call.change({ direction: value ?? 'nearest' })}
        />
      )}
    </>
  )
}
