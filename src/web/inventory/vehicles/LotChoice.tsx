import { Button, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { lots } from '#contract/customers/lots.ts'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/FailureState.tsx'
import { count } from '#web/ui/moment.ts'

const DEBOUNCE_MS = 250

type Props = { vehicles: number; onAnswer: (lotId: string | null) => void }

/** Asks for the lot on which the chosen vehicles stand from now on. */
export function LotChoice({ vehicles, onAnswer }: Props) {
  const [lotId, setLotId] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [isTried, setIsTried] = useState(false)
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS)
  const { data, error, isPending, refetch } = useQuery({
    ...query(lots.list, { pageSize: MAX_PAGE_SIZE, sort: 'name' }),
    placeholderData: keepPreviousData,
  })
  const found = useQuery({
    ...query(lots.list, { pageSize: MAX_PAGE_SIZE, sort: 'name', search }),
    // Few customers have more lots than one page holds.
    enabled: search !== '' && data !== undefined && data.totalRows > data.results.length,
    placeholderData: keepPreviousData,
  })
  const rows = new Map([...(data?.results ?? []), ...(found.data?.results ?? [])].map((lot) => [lot.id, lot]))

  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (lotId !== null) onAnswer(lotId)
  }

  if (error) {
    return (
      <FailureState failure={error} endpoint={lots.list} what="the lots" onRetry={() => void refetch()} />
    )
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <Select
        label="Lot"
        required
        data-autofocus
        searchable
        placeholder={isPending ? 'Loading the lots' : 'Choose a lot'}
        nothingFoundMessage="No such lot"
        data={[...rows.values()].map(({ id, name, code }) => ({ value: id, label: `${name}, ${code}` }))}
        value={lotId}
        allowDeselect={false}
        onChange={setLotId}
        onSearchChange={setTyped}
        error={isTried && lotId === null && 'Choose a lot.'}
      />
      <div className="fc-buttons">
        <Button variant="default" onClick={() => onAnswer(null)}>
          Cancel
        </Button>
        <Button type="submit">Move {count(vehicles, 'vehicle', 'vehicles')}</Button>
      </div>
    </form>
  )
}
