import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type VehiclePrice, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { parseMoney, typeMoney } from '#web/customers/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Locked } from '#web/ui/form/Locked.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { useKeptGuard } from '#web/ui/record/kept-typing.ts'
import { KeptNotice } from '#web/ui/record/RecordForm.tsx'
import { saveConfirmingPrices, formatPrice } from '#web/vehicles/index.ts'
import { formatMinute } from './format-minute.ts'

type Props = { vehicle: VehicleRecord; price: VehiclePrice }
type Errors = Readonly<Record<string, string>>

const setSpecial = send(vehiclePrices.setSpecial)
const endSpecial = send(vehiclePrices.endSpecial)

/** The price of this vehicle only: what it is, until when and why; or a form to set it. */
export function SpecialPriceCard({ vehicle, price }: Props) {
  const { special, currency } = price
  const end = useMutation({
    mutationFn: () => endSpecial({ id: vehicle.id }),
    onSuccess: () => toast('Special price ended', 'Pricing rules apply again.'),
    onError: (failure) => showError(failure),
  })
  const isApplied = price.ruleLines.some(({ kind }) => kind === 'special')
  return (
    <section className="fc-side-card" aria-labelledby="special-price">
      <h2 id="special-price">Only this car</h2>
      {special === null ? (
        <SpecialPriceForm vehicle={vehicle} price={price} />
      ) : (
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
                special.until === null ? 'Until you end it' : `Until ${formatMinute(special.until)} lot time`,
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
      )}
    </section>
  )
}

const LABELS = { amount: 'Price', until: 'Until', reason: 'Reason' }

function SpecialPriceForm({ vehicle, price: { sellingCents, currency } }: Props) {
  const [blank] = useState({
    amount: sellingCents === null ? '' : typeMoney(sellingCents),
    until: '',
    reason: '',
  })
  const [values, setValues] = useState(blank)
  const { kept, release } = useKeptGuard({
    endpoint: vehiclePrices.setSpecial,
    record: vehicle,
    values,
    changed: (['amount', 'until', 'reason'] as const).filter((name) => values[name] !== blank[name]),
    putBack: (typed) => setValues((before) => ({ ...before, ...typed })),
  })
  const [errors, setErrors] = useState<Errors>({})
  const set = useMutation({
    mutationFn: () =>
      saveConfirmingPrices(
        (confirmPrices) =>
          setSpecial({
            id: vehicle.id,
            cents: parseMoney(values.amount, currency),
            until: values.until || null,
            reason: values.reason,
            confirmPrices,
          }),
        'cents',
      ),
    onSuccess: () => {
      release()
      toast('Special price set', "Pricing rules don't apply to this vehicle until it ends.")
    },
    onError: (failure: CallFailure) => {
      if (Object.keys(failure.fields).length > 0) setErrors(failure.fields)
      else showError(failure)
    },
  })
  const input = (name: keyof typeof values) => ({
    value: values[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const { value } = currentTarget
      setValues((before) => ({ ...before, [name]: value }))
    },
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    setErrors({})
    set.mutate()
  }
  return (
    <form className="fc-special-price" onSubmit={submit} noValidate>
      <Locked isBusy={set.isPending}>
        <KeptNotice kept={kept} labels={LABELS} />
        <TextInput
          {...input('amount')}
          label={LABELS.amount}
          inputMode="decimal"
          autoComplete="off"
          error={errors['cents']}
        />
        <TextInput
          {...input('until')}
          label={LABELS.until}
          description="In the lot's time zone. Leave blank to end it manually."
          type="datetime-local"
          max="2100-12-31T00:00"
          error={errors['until']}
        />
        <TextInput
          {...input('reason')}
          label={LABELS.reason}
          maxLength={200}
          autoComplete="off"
          required
          error={errors['reason']}
        />
        <Action for={vehiclePrices.setSpecial} type="submit" variant="default" loading={set.isPending}>
          Set special price
        </Action>
      </Locked>
    </form>
  )
}
