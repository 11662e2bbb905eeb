import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** A scanned bill of many pages has fewer bytes. */
export const MAX_EVIDENCE_BYTES = 25_000_000
/** So many files of one upload, and of one record. */
export const MAX_EVIDENCE_FILES = 20

/** What evidence may be, by its first bytes: papers, pictures, tables and mails. */
export const EVIDENCE_TYPES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/avif',
  'image/gif',
  // Workbooks and documents are packed.
  'application/zip',
  'text/plain',
] as const

export const EvidenceFile = z.object({
  id: z.string(),
  recordId: z.string(),
  name: z.string(),
  type: z.string(),
  /** In bytes. */
  size: z.number().int(),
  createdAt: Instant,
  createdBy: z.string().nullable(),
})
export type EvidenceFile = z.infer<typeof EvidenceFile>

const ofRecord = z.strictObject({ recordId: Id })
const one = z.strictObject({ id: Id })

export const evidence = {
  list: endpoint({
    method: 'GET',
    path: '/api/carbon/get-evidence',
    allow: can(Func.carbonEmission, Opr.list),
    summary: 'The files that prove a record, the oldest first.',
    input: ofRecord,
    output: z.array(EvidenceFile),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-evidence',
    kind: 'upload',
    allow: { anyOf: [can(Func.carbonEmission, Opr.create), can(Func.carbonEmission, Opr.update)] },
    summary:
      'Puts files to a record: PDF, pictures, workbooks or text, all of them or none. A file that is there already is not put twice.',
    input: ofRecord,
    output: z.array(EvidenceFile),
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/carbon/get-evidence-file/{id}',
    kind: 'download',
    allow: can(Func.carbonEmission, Opr.read),
    summary: 'One file that proves a record.',
    input: one,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-evidence/{id}',
    allow: can(Func.carbonEmission, Opr.delete),
    summary: 'Takes a file away from its record. It can be brought back for a day.',
    input: one,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/carbon/restore-evidence',
    allow: can(Func.carbonEmission, Opr.delete),
    summary: 'Brings a file back that was taken away.',
    input: one,
    output: EvidenceFile,
  }),
}
