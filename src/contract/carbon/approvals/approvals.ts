import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Sha256, SNAPSHOT, SnapshotCheck } from '#contract/snapshots.ts'
import { ApprovalGap } from '../inventories/approval.ts'

/** The frozen file of an approval: ledger, factors, records, boundary and names as they were. */
export const ApprovalFile = z.object({
  ...SNAPSHOT,
  /** The name of the inventory then. */
  name: z.string(),
  /** In bytes. */
  size: z.number().int(),
  /** Lines of its ledger. */
  lines: z.number().int(),
  /** The approved total in kg CO2e by both methods of scope 2. */
  location: z.string(),
  market: z.string(),
  reason: z.string().nullable(),
  gaps: z.array(ApprovalGap),
})
export type ApprovalFile = z.infer<typeof ApprovalFile>

/** An approval from before the files of approvals were stored, or with its file. */
export const StoredApprovals = z.object({
  files: z.array(ApprovalFile),
  /** How many approvals have no file, because they are from before files were stored. */
  withoutFile: z.number().int(),
})

const APPROVALS = '/api/carbon/get-approvals'
/** Users who read the history of an inventory, or its results. */
const READS_APPROVALS = { anyOf: [can(Func.reportingPeriods, Opr.read), can(Func.carbonInsights, Opr.list)] }

/** What was approved, frozen: to download and to verify. */
export const inventoryApprovals = {
  list: endpoint({
    method: 'GET',
    path: APPROVALS,
    allow: READS_APPROVALS,
    summary:
      'Lists the frozen files of the approvals of an inventory, newest first, each with its SHA-256. They never change and are never deleted.',
    input: z.strictObject({ inventory: Id }),
    output: StoredApprovals,
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/carbon/download-approval/{id}',
    allow: { anyOf: [can(Func.reportingPeriods, Opr.execute), can(Func.carbonInsights, Opr.export)] },
    kind: 'download',
    outside: true,
    summary:
      'Downloads what was approved as JSON, byte for byte as it was stored: ledger, factors, records, boundary and names. Its SHA-256 is the one in the list.',
    input: z.strictObject({ id: Id }),
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/carbon/verify-approval',
    allow: READS_APPROVALS,
    writes: false,
    outside: true,
    summary:
      'Checks that the stored file of an approval still has its SHA-256, and which approval of the inventory a file with the given SHA-256 is.',
    input: z.strictObject({ id: Id, sha256: Sha256.optional() }),
    output: SnapshotCheck,
  }),
}
