import { Stack, Text, Title, UnstyledButton } from '@mantine/core'
import type { PageFinding } from '#contract/marketing/pages/lint-page.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'

type Props = { findings: readonly PageFinding[]; onShow: (finding: PageFinding) => void }

/** What the rules of advertising have against a page, each with its source and a way to it. */
export function PageLinter({ findings, onShow }: Props) {
  const stops = findings.filter(({ severity }) => severity === 'stops')
  const notes = findings.filter(({ severity }) => severity === 'note')
  return (
    <Stack gap={8} component="section" aria-label="Advertising rules">
      <Title order={2} fz={14} fw={600}>
        Advertising rules
      </Title>
      <Text size="sm" c="dimmed" aria-live="polite">
        {summary(stops.length, notes.length)}
      </Text>
      {[...stops, ...notes].map((finding) => (
        <UnstyledButton
          key={`${finding.place} ${finding.from} ${finding.message}`}
          type="button"
          onClick={() => onShow(finding)}
        >
          <Finding finding={finding} />
        </UnstyledButton>
      ))}
      <Text size="xs" c="dimmed">
        For texts in English. Help, not legal advice.
      </Text>
    </Stack>
  )
}

function Finding({ finding: { severity, place, words, message, advice, source } }: { finding: PageFinding }) {
  const isStop = severity === 'stops'
  return (
    <Status tone={isStop ? 'bad' : 'warn'} mark={isStop ? 'cross' : 'wait'}>
      <Text size="sm" component="span" style={WRAP}>
        <span className="fc-link">
          <bdi>{place}</bdi>
        </span>
        {words !== '' && (
          <b>
            {' '}
            <bdi>“{words}”</bdi>
          </b>
        )}{' '}
        <bdi>{`${message} ${advice}`.trim()}</bdi>
        <Text size="xs" c="dimmed" component="span" display="block">
          <bdi>{source}</bdi>
        </Text>
      </Text>
    </Status>
  )
}

const WRAP = { overflowWrap: 'anywhere' } as const

function summary(stops: number, notes: number): string {
  if (stops + notes === 0) return 'Nothing found.'
  const noted = count(notes, 'note', 'notes')
  if (stops === 0) return `${noted}, which you can publish with.`
  const stopping = count(stops, 'finding stops', 'findings stop')
  return notes === 0 ? `${stopping} publishing.` : `${stopping} publishing, and ${noted}.`
}
