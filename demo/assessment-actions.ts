import { actionRecord } from '#contract/assessments/actions/actions.ts'
import { addAction } from '#server/assessments/index.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** What is done about gaps of the site check. `due`: days from today. */
const ACTIONS = [
  {
    code: 'AUB',
    questionCode: 'lot_lighting',
    title: 'Dim the lot lights after closing',
    note: 'Timers for all four circuits. The insurer agreed to 30% after 10 PM.',
    due: 45,
    costCents: 680_000,
    expectedTonnes: '9.4',
    status: 'open',
  },
  {
    code: 'AUB',
    questionCode: 'metering',
    title: 'Install submeters for compressors and lot lighting',
    due: 90,
    costCents: 1_250_000,
    status: 'open',
  },
  {
    code: 'FUL',
    questionCode: 'compressed_air',
    title: 'Search for leaks and shut compressors off at night',
    note: 'First pass found 11 leaks.',
    due: -6,
    costCents: 90_000,
    expectedTonnes: '3.1',
    status: 'open',
  },
  {
    code: 'FUL',
    questionCode: 'legal',
    title: 'Create a register of permits and duties',
    due: -20,
    status: 'done',
  },
  {
    code: 'WSA',
    questionCode: 'renewable',
    title: 'Ask the utility for a green tariff',
    due: 20,
    expectedTonnes: '41.5',
    status: 'open',
  },
  {
    code: 'AUB-S',
    questionCode: 'envelope',
    title: 'Add air curtains to the service bays',
    note: 'The bay doors are replaced next year anyway.',
    costCents: 2_400_000,
    status: 'dropped',
  },
] as const

type Setting = Readonly<{
  ownerId: string
  assessmentId: string
  dayFrom: (days: number) => string
}>

/** Adds actions in every status to the targets of the site check: due soon, overdue, done and dropped. */
export async function addDemoActions(
  db: Database,
  { ownerId, assessmentId, dayFrom }: Setting,
): Promise<void> {
  const targets = await db
    .selectFrom('assessmentTargets as t')
    .innerJoin('facilities as f', (join) =>
      join.onRef('f.customerId', '=', 't.customerId').onRef('f.id', '=', 't.facilityId'),
    )
    .select(['t.id', 'f.code'])
    .where('t.assessmentId', '=', assessmentId)
    .execute()
  for (const { code, ...action } of ACTIONS) {
    const target = targets.find((one) => one.code === code)
    if (target === undefined) throw new Error(`${code} is not a target of the site check.`)
    const { due, ...rest } = { due: null, ...action }
    // One after the other: a transaction has one connection.
    // oxlint-disable-next-line no-await-in-loop
    await addAction(
      db,
      actionRecord.create.parse({
        ...rest,
        targetId: target.id,
        ownerId,
        dueOn: due === null ? null : dayFrom(due),
      }),
    )
  }
}
