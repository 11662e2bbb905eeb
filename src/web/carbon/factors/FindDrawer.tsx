import { Button, Select, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { factors } from '#contract/carbon/factors/factors.ts'
import type { FactorChoice } from '#contract/carbon/factors/find-factor.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { useToday } from '#web/session/use-today.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Status } from '#web/ui/controls/Status.tsx'
import { showUnit } from './factor-labels.ts'
import { FactorLink } from './FactorLink.tsx'

const findFactor = send(factors.find)

const RULES = [
  { value: 'exact', label: 'Valid on date' },
  { value: 'latest', label: 'Use latest available' },
] as const

type Values = { query: string; region: string; date: string; unit: string; yearRule: 'exact' | 'latest' }

/** What is searched for, the attributes of its inputs, and the result. */
function useFactorSearch() {
  const today = useToday()
  const [values, setValues] = useState<Values>(() => ({
    query: '',
    region: '',
    date: today,
    unit: '',
    yearRule: 'latest',
  }))
  const find = useMutation({ mutationFn: findFactor })
  const errors = find.error?.fields ?? {}
  const text = (name: keyof Values) => ({
    value: values[name],
    error: errors[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    find.mutate({ ...values, region: values.region.trim().toUpperCase().replace(/^ANY$/, 'any') })
  }
  return { values, setValues, find, errors, text, submit }
}

/** Selects a factor as an inventory would, and shows for each candidate why it matches or doesn't. */
export function FindDrawer({ onClose }: { onClose: () => void }) {
  const { values, setValues, find, errors, text, submit } = useFactorSearch()
  return (
    <FormDrawer
      title="Find factor"
      about="Which factor an inventory would use, and why"
      size={640}
      onClose={onClose}
    >
      <form className="fc-form" noValidate onSubmit={submit}>
        <div className="fc-form-fields">
          <TextInput
            label="Activity or keywords"
            {...text('query')}
            data-autofocus
            className="fc-wide"
            required
            maxLength={200}
            placeholder="natural gas, or electricity/grid"
            autoComplete="off"
          />
          <TextInput
            label="Region"
            {...text('region')}
            required
            maxLength={20}
            placeholder="US-CAMX"
            autoComplete="off"
            dir="ltr"
          />
          <TextInput
            label="Date"
            {...text('date')}
            required
            maxLength={10}
            placeholder="2025-06-30"
            autoComplete="off"
            dir="ltr"
          />
          <TextInput
            label="Unit"
            {...text('unit')}
            maxLength={60}
            placeholder="therms"
            autoComplete="off"
            dir="ltr"
          />
          <Select
            label="Edition"
            data={[...RULES]}
            value={values.yearRule}
            allowDeselect={false}
            onChange={(yearRule) =>
              setValues({ ...values, yearRule: yearRule === 'exact' ? 'exact' : 'latest' })
            }
          />
          <div className="fc-wide">
            <Button type="submit" loading={find.isPending}>
              Find
            </Button>
          </div>
          {find.error !== null && Object.keys(errors).length === 0 && (
            <p className="fc-wide fc-small" role="alert">
              {find.error.message}
            </p>
          )}
          {find.data && <Choice choice={find.data} />}
        </div>
      </form>
    </FormDrawer>
  )
}

function Choice({ choice: { chosenId, sentence, candidates, leftOut } }: { choice: FactorChoice }) {
  return (
    <section className="fc-wide" aria-label="Result" aria-live="polite">
      <p>
        <Status tone={chosenId === null ? 'warn' : 'good'} mark={chosenId === null ? 'alert' : 'check'}>
          <bdi>{sentence}</bdi>
        </Status>
      </p>
      <ul className="fc-find-results">
        {candidates.map(({ factor, reasons, against, fits }) => (
          <li key={factor.id}>
            <div className="fc-find-head">
              <FactorLink factor={factor} />
              <bdi className="fc-number">
                {factor.co2e === null
                  ? 'No value'
                  : `${showFigure(factor.co2e)} kg CO2e per ${showUnit(factor)}`}
              </bdi>
            </div>
            <bdi className="fc-small fc-faint">
              {factor.category} · {factor.publisher}, {factor.edition}
            </bdi>
            <Status tone={verdictTone(factor.id === chosenId, fits)} mark={fits ? 'check' : 'dash'}>
              {verdict(factor.id === chosenId, fits)}
            </Status>
            <ul>
              {(fits ? reasons : against).map((reason) => (
                <li key={reason}>
                  <bdi>{reason}</bdi>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {leftOut > 0 && (
        <p className="fc-small fc-soft">{leftOut.toLocaleString()} less relevant factors not shown.</p>
      )}
    </section>
  )
}

const verdictTone = (isChosen: boolean, fits: boolean) => {
  if (isChosen) return 'good'
  return fits ? 'info' : 'mute'
}

const verdict = (isChosen: boolean, fits: boolean) => {
  if (isChosen) return 'Selected'
  return fits ? 'Also matches' : "Doesn't match"
}
