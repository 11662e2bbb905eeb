import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { Sha256, SNAPSHOT, SnapshotCheck } from '#contract/snapshots.ts'

/** The frozen answers of a submission or an approval. */
export const TargetSnapshot = z.object({
  ...SNAPSHOT,
  kind: z.enum(['submitted', 'approved']),
  /** In bytes. */
  size: z.number().int(),
})
export type TargetSnapshot = z.infer<typeof TargetSnapshot>

const READS_TARGET = { anyOf: [can(Func.assessments, Opr.read), can(Func.review, Opr.read)] }

/** What was submitted and approved, frozen: to download, and to verify against the receipt. */
export const targetSnapshots = {
  list: endpoint({
    method: 'GET',
    path: '/api/assessments/get-snapshots',
    allow: READS_TARGET,
    summary:
      'Lists the frozen answers of a target, newest first, one for each submission and approval, each with the SHA-256 of its receipt. They never change and are never deleted.',
    input: z.strictObject({ targetId: Id }),
    output: z.array(TargetSnapshot),
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/assessments/download-snapshot/{id}',
    allow: READS_TARGET,
    kind: 'download',
    summary:
      'Downloads frozen answers as JSON, byte for byte as they were stored. Their SHA-256 is the one of the receipt.',
    input: z.strictObject({ id: Id }),
  }),
  verify: endpoint({
    method: 'POST',
    path: '/api/assessments/verify-snapshot',
    allow: READS_TARGET,
    writes: false,
    summary:
      'Checks that stored frozen answers still have their SHA-256, and which submission or approval of the target a file with the given SHA-256 is.',
    input: z.strictObject({ id: Id, sha256: Sha256.optional() }),
    output: SnapshotCheck,
  }),
}
