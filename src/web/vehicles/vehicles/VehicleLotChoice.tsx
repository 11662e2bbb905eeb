import { Button, Select } from '@mantine/core'
import { type SubmitEvent, useState } from 'react'
import { lots } from '#contract/customers/lots/lots.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { useLotNames } from '#web/ui/form/use-lot-names.ts'

type Props = { vehicles: number; onAnswer: (lotId: string | null) => void }

/** Asks for the new lot of the selected vehicles. */
export function VehicleLotChoice({ vehicles, onAnswer }: Props) {
  const [lotId, setLotId] = useState<string | null>(null)
  const [isTried, setIsTried] = useState(false)
  const { choices, error, isPending, retry, search } = useLotNames()

  function decide(event: SubmitEvent) {
    event.preventDefault()
    setIsTried(true)
    if (lotId !== null) onAnswer(lotId)
  }

  if (error) {
    return <FailureState failure={error} endpoint={lots.list} what="the lots" onRetry={retry} />
  }
  return (
    <form className="fc-dialog-form" noValidate onSubmit={decide}>
      <Select
        label="Lot"
        required
        data-autofocus
        searchable
        placeholder={isPending ? 'Loading lots' : 'Choose a lot'}
        nothingFoundMessage="No matching lot"
        data={choices}
        value={lotId}
        allowDeselect={false}
        onChange={setLotId}
        onSearchChange={search}
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
