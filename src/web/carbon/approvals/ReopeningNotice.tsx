import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import { inventoryReopenings } from '#contract/carbon/approvals/reopenings.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { useOpenReopening, useReopening, verbOf } from './use-reopening.tsx'
import '@mantine/core/styles/Group.layer.css'
import '@mantine/core/styles/Stack.layer.css'

/** A request to unlock or reopen an inventory, which a second person confirms or declines. Nothing without one. */
export function ReopeningNotice({ inventory }: { inventory: Inventory }) {
  const reopening = useOpenReopening(inventory)
  const { confirm, decline, withdraw, isConfirming } = useReopening(inventory)
  if (reopening === null) return null
  const { isMine, refusal, requestedBy, requestedAt, reason } = reopening
  const verb = verbOf(reopening)
  const who = isMine ? 'You asked' : `${requestedBy ?? 'Someone'} asks`
  return (
    <Paper
      component="section"
      withBorder
      radius="md"
      p="md"
      mx="var(--fc-gutter)"
      mb="md"
      bg="var(--fc-warn-tint)"
      aria-label={`Request to ${verb.toLowerCase()}`}
    >
      <Group justify="space-between" align="start" gap={16}>
        <Stack gap={2} flex="1 1 240px">
          <Title order={2} fz={14}>
            <bdi>
              {who} to {verb.toLowerCase()} {inventory.name}
            </bdi>
          </Title>
          <Text fz={13}>
            <bdi>{reason}</bdi>
          </Text>
          <Text fz={13} c="var(--fc-ink-soft)">
            {formatMoment(requestedAt)}
            {isMine && '. A second person must confirm it.'}
          </Text>
        </Stack>
        <Group gap={8}>
          {isMine ? (
            <Action
              for={inventoryReopenings.withdraw}
              variant="default"
              onClick={() => void withdraw(reopening)}
            >
              Withdraw request
            </Action>
          ) : (
            <>
              <Action
                for={inventoryReopenings.decline}
                variant="default"
                onClick={() => void decline(reopening)}
              >
                Decline
              </Action>
              <Action
                for={inventoryReopenings.confirm}
                lock={refusal}
                loading={isConfirming}
                onClick={() => void confirm(reopening)}
              >
                {verb}
              </Action>
            </>
          )}
        </Group>
      </Group>
    </Paper>
  )
}
