import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DefinitionChange } from '#contract/questions/changes.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { ChangeList } from './ChangeList.tsx'

const DRAFT = 'draft'

type ReadVersion<C> = Readonly<{
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<C>
}>

type Props<C> = {
  /** Newest first. */
  numbers: readonly number[]
  /** As it is on the screen; null if there is none to compare. */
  draft: C | null
  /** Reads one version, which never changes. */
  read: (number: number) => ReadVersion<C>
  compare: (before: C, after: C) => readonly DefinitionChange[]
}

/** What changed between two versions, or between one and the draft. */
export function VersionComparison<C>({ numbers, draft, read, compare }: Props<C>) {
  const choices = [
    ...(draft === null ? [] : [{ value: DRAFT, label: 'Draft' }]),
    ...numbers.map((number) => ({ value: String(number), label: `Version ${number}` })),
  ]
  const [newer, setNewer] = useState(choices[0]?.value ?? '')
  const [older, setOlder] = useState(choices[1]?.value ?? '')
  const after = useVersion(newer, read)
  const before = useVersion(older, read)
  const [from, to] = [older === DRAFT ? draft : before.version, newer === DRAFT ? draft : after.version]
  const error = before.error ?? after.error
  if (choices.length < 2) return <p className="fc-small fc-soft">There is only one version so far.</p>
  return (
    <section className="fc-comparison" aria-label="What changed">
      <h2>What changed</h2>
      <div className="fc-pair">
        <Select
          label="Compare"
          data={choices}
          value={newer}
          allowDeselect={false}
          onChange={(value) => setNewer(value ?? newer)}
        />
        <Select
          label="With"
          data={choices}
          value={older}
          allowDeselect={false}
          onChange={(value) => setOlder(value ?? older)}
        />
      </div>
      {error !== null && (
        <p className="fc-rows-error" role="alert">
          <bdi>{error.message}</bdi>
        </p>
      )}
      {error === null && (from === null || to === null) && <Spinner label="Comparing" />}
      {error === null && from !== null && to !== null && <Differences changes={compare(from, to)} />}
    </section>
  )
}

/** The published version of a choice; null for the draft. */
function useVersion<C>(chosen: string, read: Props<C>['read']) {
  const isPublished = chosen !== DRAFT && chosen !== ''
  const { data, error } = useQuery<C>({
    ...read(isPublished ? Number(chosen) : 1),
    enabled: isPublished,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { version: isPublished ? (data ?? null) : null, error: isPublished ? error : null }
}

function Differences({ changes }: { changes: readonly DefinitionChange[] }) {
  return (
    <>
      <p className="fc-small fc-soft">{sumUp(changes)}</p>
      <ChangeList changes={changes} />
    </>
  )
}

/** What an assessment that moves to the newer version would do with its answers. */
function sumUp(changes: readonly DefinitionChange[]): string {
  const of = (effect: DefinitionChange['effect']) =>
    new Set(changes.flatMap((change) => (change.effect === effect ? [change.question] : []))).size
  const [unused, review] = [of('unused'), of('review')]
  if (changes.length === 0) return 'The versions are the same.'
  if (unused + review === 0)
    return `${count(changes.length, 'change', 'changes')}. All existing answers stay valid.`
  const parts = [
    ...(review > 0 ? [`answers to ${count(review, 'question', 'questions')} need review`] : []),
    ...(unused > 0
      ? [`answers to ${count(unused, 'removed question', 'removed questions')} are set aside`]
      : []),
  ]
  return `${count(changes.length, 'change', 'changes')}: ${parts.join(', ')}. Other answers stay valid.`
}
