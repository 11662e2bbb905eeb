import { Alert, Group, Stack, Text } from '@mantine/core'
import { type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { followJob } from '#web/ui/tasks/follow-job.ts'
import { startConfirmingPrices } from '#web/ui/prices/confirm-prices.ts'
import { formatPrice } from '../vehicle-labels.ts'

const changeVehicles = send(vehicles.change)

/** The feed has sent another price than before, but a person set the price: shows both and asks. */
export function SourcePriceNote({ vehicle }: { vehicle: VehicleRecord }) {
  const { id, priceCents, sourcePriceCents: cents, currency, asksPrice } = vehicle
  const deciding = useMutation({
    mutationFn: (sourcePrice: 'take' | 'keep') =>
      startConfirmingPrices((confirmPrices) =>
        changeVehicles({
          selection: { ids: [id] },
          change: { sourcePrice, ...(cents !== null && { cents }) },
          confirmPrices,
        }),
      ),
    onSuccess: (job) => {
      if (job !== null) void followJob(job)
    },
    onError: (failure) => showError(failure),
  })
  if (!asksPrice || cents === null) return null
  const own = formatPrice(priceCents, currency) || 'no price'
  const feed = cents === 0 ? 'no price' : formatPrice(cents, currency)
  const decide = (answer: 'take' | 'keep', words: string) => (
    <Action
      for={vehicles.change}
      variant="default"
      disabled={deciding.isPending}
      loading={deciding.isPending && deciding.variables === answer}
      onClick={() => deciding.mutate(answer)}
    >
      {words}
    </Action>
  )
  return (
    <Alert color="yellow" title="New price from the feed">
      <Stack gap="sm">
        <Text size="sm">
          <bdi>{`The feed now sends ${feed}. Your price is ${own} and stays until you decide.`}</bdi>
        </Text>
        <Group gap="xs">
          {decide('keep', `Keep ${own}`)}
          {decide('take', `Take ${feed}`)}
        </Group>
      </Stack>
    </Alert>
  )
}
