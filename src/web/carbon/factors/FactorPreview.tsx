import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { Sent } from '#contract/endpoint.ts'
import { type FactorPreview as Preview, factors } from '#contract/carbon/factors/factors.ts'
import { query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ChangedRecords } from './ChangedRecords.tsx'
import { checkFactor, type FactorValues, toInput } from './factor-form.ts'

type Props = {
  values: FactorValues
  /** The ID of the version that is replaced; undefined for a new factor. */
  replaces: string | undefined
}

/** What a custom factor would change, before it is saved: each record with its emissions before and after. */
export function FactorPreview({ values, replaces }: Props) {
  const [shown] = useDebouncedValue(values, 400)
  const isWhole = Object.keys(checkFactor(shown)).length === 0
  if (isWhole) return <PreviewOf input={{ ...toInput(shown), ...(replaces !== undefined && { replaces }) }} />
  return (
    <div className="fc-factor-usage">
      <p className="fc-soft">Complete the factor to see which records it changes.</p>
    </div>
  )
}

function PreviewOf({ input }: { input: Sent<typeof factors.preview> }) {
  const { data, error, isFetching } = useQuery({ ...query(factors.preview, input), gcTime: 0 })
  return (
    <section className="fc-factor-usage" aria-label="Effect of the factor" aria-live="polite">
      {error && <p role="alert">{error.message}</p>}
      {isFetching && !data && <p className="fc-soft">Calculating what it changes…</p>}
      {data && <Effect preview={data} act={input.replaces === undefined ? 'Adding' : 'Saving'} />}
    </section>
  )
}

function Effect({
  preview: { affected, records, before, after, competing },
  act,
}: {
  preview: Preview
  act: string
}) {
  const names = competing.map(({ name }) => name).join(', ')
  return (
    <>
      <h3>
        {affected === 0 ? 'No records change' : `${act} it changes ${count(affected, 'record', 'records')}`}
      </h3>
      {affected > 0 && (
        <p>
          <bdi>
            {showFigure(before)} kg CO2e becomes {showFigure(after)} kg CO2e. Approved ones go back into
            review.
          </bdi>
        </p>
      )}
      {competing.length > 0 && (
        <Status tone="warn" mark="alert">
          <bdi>
            {competing.length === 1 ? 'This custom factor matches' : 'These custom factors match'} too:{' '}
            {names}. The one that is entered last applies.
          </bdi>
        </Status>
      )}
      <ChangedRecords affected={affected} records={records} />
    </>
  )
}
