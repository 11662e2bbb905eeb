import { TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type SpecialPrice, VehiclePrice, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { useMutation } from '#web/api/mutation.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { parseMoney, typeMoney } from '#web/customers/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { overNewer } from '#web/ui/record/over-newer.ts'
import { RecordEditor } from '#web/ui/record/RecordEditor.tsx'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { saveConfirmingPrices } from '#web/ui/prices/confirm-prices.ts'
import { formatPrice } from '#web/vehicles/index.ts'
import { formatMinute } from './format-minute.ts'

type Props = { vehicle: VehicleRecord; price: VehiclePrice }

const setSpecial = send(vehiclePrices.setSpecial)
const endSpecial = send(vehiclePrices.endSpecial)

/** Reads the special price again, after someone else was faster. */
const readAgain = () => queryClient.invalidateQueries({ queryKey: keyOf(vehiclePrices.get) })

/** The price of this vehicle only: what it is, until when and why; or a form to set it. */
export function SpecialPriceCard({ vehicle, price }: Props) {
  // What is typed stays in sight when someone else sets one meanwhile: saving then compares the two.
  const [isTyping, setTyping] = useState(false)
  const { special } = price
  return (
    <section className="fc-side-card" aria-labelledby="special-price">
      <h2 id="special-price">Only this car</h2>
      {special === null || isTyping ? (
        <SpecialPriceForm vehicle={vehicle} price={price} onTyping={setTyping} />
      ) : (
        <Current vehicle={vehicle} price={price} special={special} />
      )}
    </section>
  )
}

const describeEnd = ({ until }: SpecialPrice): string =>
  until === null ? 'Until you end it' : `Until ${formatMinute(until)} lot time`

function Current({
  vehicle: { id },
  price: { currency, ruleLines },
  special,
}: Props & { special: SpecialPrice }) {
  const end = useMutation({
    mutationFn: () =>
      overNewer({
        thing: 'the special price',
        version: special.version,
        run: (version) => endSpecial({ id, version }),
        schema: VehiclePrice.transform((newer) => asRecord(id, newer.special)),
        show: () => void readAgain(),
        describe: (newer) =>
          newer.special === null
            ? ''
            : `Now: ${formatPrice(newer.special.cents, currency)}, ${newer.special.reason}. ${describeEnd(newer.special)}.`,
        confirm: 'End special price',
      }),
    onSuccess: (ended) => ended && toast('Special price ended', 'Pricing rules apply again.'),
    onError: (failure) => showError(failure),
  })
  const isApplied = ruleLines.some(({ kind }) => kind === 'special')
  return (
    <>
      <p>
        <b className="fc-number">{formatPrice(special.cents, currency)}</b>
        <span className="fc-second">
          <bdi>{special.reason}</bdi>
        </span>
      </p>
      <p className="fc-small fc-soft">
        <bdi>
          {[
            describeEnd(special),
            `set ${formatDay(special.setAt)}${special.setBy === null ? '' : ` by ${special.setBy}`}`,
          ].join(', ')}
        </bdi>
        {!isApplied && '. It has no effect now.'}
      </p>
      <Action
        for={vehiclePrices.endSpecial}
        variant="default"
        loading={end.isPending}
        onClick={() => end.mutate()}
      >
        End special price
      </Action>
    </>
  )
}

type Values = { cents: string; until: string; reason: string }
const LABELS = { cents: 'Price', until: 'Until', reason: 'Reason' }

/** A special price as a record of its vehicle. Version 0: there is none. */
const asRecord = (id: string, special: SpecialPrice | null) => ({
  id,
  special,
  version: special?.version ?? 0,
  updatedAt: special?.setAt ?? null,
  updatedBy: special?.setBy ?? null,
})

function SpecialPriceForm({
  vehicle: { id },
  price: { sellingCents, currency },
  onTyping,
}: Props & { onTyping: (isTyping: boolean) => void }) {
  const [none] = useState(() => asRecord(id, null))
  const [blank] = useState(() => ({
    cents: sellingCents === null ? '' : typeMoney(sellingCents),
    until: '',
    reason: '',
  }))
  const toInput = ({ cents, until, reason }: Values) => ({
    id,
    cents: parseMoney(cents, currency),
    until: until || null,
    reason,
  })
  return (
    <RecordEditor
      saved={none}
      thing="the special price"
      className="fc-special-price"
      isClosing
      form={{
        labels: LABELS,
        schema: VehiclePrice.transform(({ special }) => asRecord(id, special)),
        toValues: ({ special }) =>
          special === null
            ? blank
            : { cents: typeMoney(special.cents), until: special.until ?? '', reason: special.reason },
        toInput,
        check: (values) => {
          const { error } = vehiclePrices.setSpecial.input.safeParse(toInput(values))
          return error ? fieldSentences(error) : {}
        },
      }}
      endpoints={{ update: vehiclePrices.setSpecial }}
      save={async (input, change) => {
        const price = await saveConfirmingPrices(
          (confirmPrices) => setSpecial({ ...input, version: change?.version || null, confirmPrices }),
          'cents',
        )
        return asRecord(id, price.special)
      }}
      onKept={() => void readAgain()}
      onSaved={() => toast('Special price set', "Pricing rules don't apply to this vehicle until it ends.")}
    >
      {({ record }) => <SpecialPriceFields record={record} onTyping={onTyping} />}
    </RecordEditor>
  )
}

type FieldProps = {
  record: Pick<RecordFormState<Values, unknown>, 'field' | 'changed' | 'isSaving'>
  onTyping: (isTyping: boolean) => void
}

function SpecialPriceFields({ record: { field, changed, isSaving }, onTyping }: FieldProps) {
  const isTyping = changed.length > 0
  useEffect(() => onTyping(isTyping), [onTyping, isTyping])
  return (
    <>
      <TextInput {...field('cents')} inputMode="decimal" autoComplete="off" />
      <TextInput
        {...field('until')}
        description="In the lot's time zone. Leave blank to end it manually."
        type="datetime-local"
        max="2100-12-31T00:00"
      />
      <TextInput
        {...field('reason')}
        description="Everyone who can open this vehicle reads it. Buyers never do."
        maxLength={200}
        autoComplete="off"
        required
      />
      <Action for={vehiclePrices.setSpecial} type="submit" variant="default" loading={isSaving}>
        Set special price
      </Action>
    </>
  )
}
