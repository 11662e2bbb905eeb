import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { Id, Instant } from '#contract/fields.ts'
import { can, Func, Opr } from '#contract/permissions.ts'

/** Larger than a scanned bill of many pages. */
export const MAX_EVIDENCE_BYTES = 25_000_000
/** The most files in one upload, and for one record. */
export const MAX_EVIDENCE_FILES = 20

/** The accepted file types, detected from the first bytes: documents, images, spreadsheets and emails. */
export const EVIDENCE_TYPES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/avif',
  'image/gif',
  // XLSX and DOCX files are ZIP archives.
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
    allow: can(Func.evidence, Opr.list),
    summary: 'Lists the evidence files of a record, oldest first.',
    input: ofRecord,
    output: z.array(EvidenceFile),
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/carbon/add-evidence',
    kind: 'upload',
    allow: can(Func.evidence, Opr.create),
    summary:
      'Attaches evidence files to a record (PDF, images, spreadsheets or text), all of them or none. A file that is already attached is not added again.',
    input: ofRecord,
    output: z.array(EvidenceFile),
    changes: ['/api/carbon/get-evidence'],
  }),
  download: endpoint({
    method: 'GET',
    path: '/api/carbon/get-evidence-file/{id}',
    kind: 'download',
    allow: can(Func.evidence, Opr.read),
    summary: 'Downloads one evidence file of a record.',
    input: one,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/carbon/delete-evidence/{id}',
    allow: can(Func.evidence, Opr.delete),
    summary: 'Removes an evidence file from its record. It can be restored for a day.',
    input: one,
    changes: ['/api/carbon/get-evidence'],
  }),
  restore: endpoint({
    method: 'POST',
    path: '/api/carbon/restore-evidence',
    allow: can(Func.evidence, Opr.delete),
    summary: 'Restores a removed evidence file.',
    input: one,
    output: EvidenceFile,
    changes: ['/api/carbon/get-evidence'],
  }),
}
