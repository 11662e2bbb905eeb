import { Stack, Text, Title, UnstyledButton } from '@mantine/core'
import type { BlockFault } from '#contract/marketing/pages/check-blocks.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import '@mantine/core/styles/Stack.layer.css'

type Props = {
  faults: readonly BlockFault[]
  /** A version was published before. */
  hasPage: boolean
  onFault: (fault: BlockFault) => void
}

/** What keeps the page from being published, each with a way to it. */
export function Findings({ faults, hasPage, onFault }: Props) {
  return (
    <Stack gap={8} component="section" aria-label="Before you publish">
      <Title order={2} fz={14} fw={600}>
        Before you publish
      </Title>
      <Text size="sm" c="dimmed" aria-live="polite">
        {faults.length === 0
          ? 'Every block has what it needs. Its form and lots are checked when you publish.'
          : `${count(faults.length, 'finding blocks', 'findings block')} ${hasPage ? 'the next version' : 'publishing'}.`}
      </Text>
      {faults.map((fault) => (
        <UnstyledButton key={fault.id} type="button" onClick={() => onFault(fault)}>
          <Status tone="bad" mark="cross">
            <Text size="sm" component="span" className="fc-link">
              <bdi>{fault.message}</bdi>
            </Text>
          </Status>
        </UnstyledButton>
      ))}
    </Stack>
  )
}
