import { Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Endpoint } from '#contract/endpoint.ts'
import type { AnyReopening } from '#contract/reopenings.ts'
import { formatMoment } from '#web/ui/layout/date-format.ts'
import { Action } from '#web/ui/controls/Action.tsx'

type Props = {
  reopening: AnyReopening
  /** "Reopen": what confirming does. */
  verb: string
  /** What it is about. */
  name: string
  endpoints: Readonly<Record<'confirm' | 'decline' | 'withdraw', Endpoint>>
  onConfirm: () => void
  onDecline: () => void
  onWithdraw: () => void
}

/** A request to open what two people approved, which a second person confirms or declines. */
export function ReopeningNotice({ reopening, verb, name, endpoints, ...on }: Props) {
  const { isMine, refusal, requestedBy, requestedAt, reason } = reopening
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
              {who} to {verb.toLowerCase()} {name}
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
            <Action for={endpoints.withdraw} variant="default" onClick={on.onWithdraw}>
              Withdraw request
            </Action>
          ) : (
            <>
              <Action for={endpoints.decline} variant="default" onClick={on.onDecline}>
                Decline
              </Action>
              <Action for={endpoints.confirm} lock={refusal} onClick={on.onConfirm}>
                {verb}
              </Action>
            </>
          )}
        </Group>
      </Group>
    </Paper>
  )
}
