import { Stack, Text } from '@mantine/core'
import { type TargetSnapshot, targetSnapshots } from '#contract/assessments/targets/target-snapshots.ts'
import { query, send } from '#web/api/query.ts'
import { FrozenFile } from '#web/ui/frozen-files/FrozenFile.tsx'
import { VerifyForm } from '#web/ui/frozen-files/VerifyForm.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { showNotice } from '#web/ui/overlay/dialogs.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import '@mantine/core/styles/Stack.layer.css'

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
            <FrozenFile
              key={one.id}
              file={one}
              title={TITLES[one.kind]}
              name={`${TITLES[one.kind]} answers of ${name}, ${formatDay(one.madeAt)}`}
              download={targetSnapshots.download}
              input={{ id: one.id }}
              verify={targetSnapshots.verify}
              onVerify={() =>
                showNotice(
                  'Verify answers',
                  <VerifyForm
                    id={one.id}
                    name={nameOf(one)}
                    nameOf={(other) => nameOf(snapshots.find(({ id }) => id === other))}
                    check={verifySnapshot}
                  />,
                )
              }
            />
          ))}
        </Stack>
      )}
    </Loaded>
  )
}

const TITLES = { submitted: 'Submitted', approved: 'Approved' } as const

const nameOf = (snapshot: TargetSnapshot | undefined): string =>
  snapshot === undefined ? 'another one' : `what was ${snapshot.kind} on ${formatDay(snapshot.madeAt)}`
