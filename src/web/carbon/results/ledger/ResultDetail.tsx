import { ledger } from '#contract/carbon/results/ledger.ts'
import { query } from '#web/api/query.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { CalculationTrace } from '../insights/CalculationTrace.tsx'

/** The calculation of one result. */
export function ResultDetail({ id }: { id: string }) {
  return (
    <Loaded
      query={query(ledger.explain, { id })}
      what="this result"
      shape="spinner"
      label="Loading the calculation"
    >
      {(data) => <CalculationTrace result={data} />}
    </Loaded>
  )
}
