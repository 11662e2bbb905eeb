import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type Campaign, type CampaignCheck, campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { keyOf, query } from '#web/api/query.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

const LOOKS = {
  ok: { tone: 'good', mark: 'check' },
  warning: { tone: 'warn', mark: 'alert' },
  error: { tone: 'bad', mark: 'cross' },
} as const
const WORDS = { ok: 'Right', warning: 'Look at this', error: 'Must be fixed' } as const

/** What must be right before a campaign can be scheduled. */
export function ChecksTab({ campaign, isChanged }: { campaign: Campaign; isChanged: boolean }) {
  const client = useQueryClient()
  return (
    <Stack px="var(--fc-gutter)" py={16} gap={16} maw={760}>
      {isChanged && (
        <Text size="sm" c="dimmed">
          Checks are about the saved campaign. Save your changes to check them.
        </Text>
      )}
      <Loaded query={query(campaigns.checks, { id: campaign.id })} what="the checks" shape="fields">
        {(checks) => (
          <>
            <Group justify="space-between">
              <Text size="sm" aria-live="polite">
                {checks.filter(({ state }) => state === 'ok').length} of {checks.length} are right.
              </Text>
              <Button
                variant="default"
                size="xs"
                onClick={() => void client.invalidateQueries({ queryKey: keyOf(campaigns.checks) })}
              >
                Check again
              </Button>
            </Group>
            {checks.map((check) => (
              <Check key={check.id} check={check} />
            ))}
          </>
        )}
      </Loaded>
    </Stack>
  )
}

function Check({ check: { title, state, findings } }: { check: CampaignCheck }) {
  return (
    <Stack gap={4} component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} fz={14} fw={600}>
          <bdi>{title}</bdi>
        </Title>
        <Status {...LOOKS[state]}>{WORDS[state]}</Status>
      </Group>
      {findings.map((finding) => (
        <Text key={finding} size="sm" c="dimmed">
          <bdi>{finding}</bdi>
        </Text>
      ))}
    </Stack>
  )
}
