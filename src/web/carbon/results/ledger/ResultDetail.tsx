import { useQuery } from '@tanstack/react-query'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { CalculationTrace } from '../insights/CalculationTrace.tsx'

/** The calculation of one result. */
export function ResultDetail({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(query(ledger.explain, { id }))
  if (error) {
    return (
      <FailureState
        failure={error}
        endpoint={ledger.explain}
        what="this result"
        onRetry={() => void refetch()}
      />
    )
  }
  return data ? <CalculationTrace result={data} /> : <Spinner label="Loading the calculation" />
}
