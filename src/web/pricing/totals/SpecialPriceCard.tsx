import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { fieldSentences } from '#contract/field-sentences.ts'
import { type SpecialPrice, VehiclePrice, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { keyOf, queryClient, send } from '#web/api/query.ts'
import { parseMoney, typeMoney } from '#web/customers/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { RecordForm } from '#web/ui/record/RecordForm.tsx'
import { StaleDialog } from '#web/ui/record/StaleDialog.tsx'
import { useRecordForm } from '#web/ui/record/use-record-form.ts'
import { saveConfirmingPrices, formatPrice } from '#web/vehicles/index.ts'
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
    mutationFn: (version: number) => endSpecial({ id, version }),
    onSuccess: () => toast('Special price ended', 'Pricing rules apply again.'),
    onError: (failure: CallFailure) => {
      const newer = VehiclePrice.safeParse(failure.current).data?.special
      if (!newer) return showError(failure)
      void readAgain()
      return askAgain(newer)
    },
  })
  async function askAgain(newer: SpecialPrice) {
    const isSure = await ask({
      title: 'End the newer special price?',
      text: `${newer.setBy ?? 'Someone else'} set ${formatPrice(newer.cents, currency)} meanwhile: ${newer.reason}. ${describeEnd(newer)}.`,
      confirm: 'End it',
      cancel: 'Keep it',
    })
    if (isSure) end.mutate(newer.version)
  }
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
        onClick={() => end.mutate(special.version)}
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
  const record = useRecordForm({
    record: none,
    blank,
    labels: LABELS,
    schema: VehiclePrice.transform(({ special }) => asRecord(id, special)),
    toValues: ({ special }) =>
      special === null
        ? blank
        : { cents: typeMoney(special.cents), until: special.until ?? '', reason: special.reason },
    endpoint: vehiclePrices.setSpecial,
    check: (values) => {
      const { error } = vehiclePrices.setSpecial.input.safeParse(toInput(values))
      return error ? fieldSentences(error) : {}
    },
    save: async (values, version) => {
      const price = await saveConfirmingPrices(
        (confirmPrices) => setSpecial({ ...toInput(values), version: version || null, confirmPrices }),
        'cents',
      )
      return asRecord(id, price.special)
    },
    onSaved: () => {
      onTyping(false)
      toast('Special price set', "Pricing rules don't apply to this vehicle until it ends.")
    },
    keep: () => {
      onTyping(false)
      void readAgain()
    },
  })
  const isTyping = record.changed.length > 0
  useEffect(() => onTyping(isTyping), [onTyping, isTyping])
  return (
    <RecordForm record={record} className="fc-special-price">
      <Locked isBusy={record.isSaving}>
        <TextInput {...record.field('cents')} inputMode="decimal" autoComplete="off" />
        <TextInput
          {...record.field('until')}
          description="In the lot's time zone. Leave blank to end it manually."
          type="datetime-local"
          max="2100-12-31T00:00"
        />
        <TextInput {...record.field('reason')} maxLength={200} autoComplete="off" required />
        <Action for={vehiclePrices.setSpecial} type="submit" variant="default" loading={record.isSaving}>
          Set special price
        </Action>
      </Locked>
      <StaleDialog record={record} thing="the special price" />
    </RecordForm>
  )
}
