import { Stack, Text } from '@mantine/core'
import { type TargetSnapshot, targetSnapshots } from '#contract/assessments/targets/target-snapshots.ts'
import { targetReopenings } from '#contract/assessments/targets/target-reopenings.ts'
import { query, send } from '#web/api/query.ts'
import { FrozenFile } from '#web/ui/frozen-files/FrozenFile.tsx'
import { VerifyForm } from '#web/ui/frozen-files/VerifyForm.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { RefusedRequests } from '#web/ui/reopening/RefusedRequests.tsx'

const verifySnapshot = send(targetSnapshots.verify)

/** What was submitted and approved, frozen: to download and to verify. Newest first. */
export function TargetSnapshots({ targetId, name }: { targetId: string; name: string }) {
  return (
    <Loaded query={query(targetSnapshots.list, { targetId })} what="the frozen answers" shape="fields">
      {(snapshots) => (
        <Stack gap={16}>
          <Text fz={13} c="var(--fc-ink-soft)">
            {snapshots.length === 0
              ? 'Nothing was submitted yet.'
              : 'The answers are stored as they were, with the names of those who gave them. They are never changed or deleted. The SHA-256 of a submission is the one on the receipt.'}
          </Text>
          {snapshots.map((one) => (
            <Snapshot key={one.id} snapshot={one} snapshots={snapshots} name={name} />
          ))}
          {snapshots.some(({ kind }) => kind === 'approved') && (
            <RefusedRequests
              query={query(targetReopenings.list, { targetId })}
              title={() => 'Request to reopen'}
            />
          )}
        </Stack>
      )}
    </Loaded>
  )
}

type SnapshotProps = { snapshot: TargetSnapshot; snapshots: readonly TargetSnapshot[]; name: string }

function Snapshot({ snapshot, snapshots, name }: SnapshotProps) {
  const { id, kind, madeAt } = snapshot
  const verify = () =>
    showNotice(
      'Verify answers',
      <VerifyForm
        id={id}
        name={nameOf(snapshot)}
        nameOf={(other) => nameOf(snapshots.find((one) => one.id === other))}
        check={verifySnapshot}
      />,
    )
  return (
    <FrozenFile
      file={snapshot}
      title={TITLES[kind]}
      name={`${TITLES[kind]} answers of ${name}, ${formatDay(madeAt)}`}
      download={targetSnapshots.download}
      input={{ id }}
      verify={targetSnapshots.verify}
      onVerify={verify}
    />
  )
}

const TITLES = { submitted: 'Submitted', approved: 'Approved' } as const

const nameOf = (snapshot: TargetSnapshot | undefined): string =>
  snapshot === undefined ? 'another one' : `what was ${snapshot.kind} on ${formatDay(snapshot.madeAt)}`
